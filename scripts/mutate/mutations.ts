/**
 * The mutations: a list of replacements per syntax node. Changes to error texts and to numbers in tables of limits are
 * left out, because tests of those would only restate them.
 */
import { child, type Node } from "./syntax.ts"

const OPERATORS = new Map<string, readonly string[]>(
  Object.entries({
    "<": ["<=", ">="],
    "<=": ["<", ">"],
    ">": [">=", "<="],
    ">=": [">", "<"],
    "===": ["!=="],
    "!==": ["==="],
    "+": ["-"],
    "-": ["+"],
    "*": ["/"],
    "/": ["*"],
    "%": ["*"],
    "&&": ["||"],
    "||": ["&&"],
    "??": ["&&"],
    "+=": ["-="],
    "-=": ["+="],
  }),
)

const METHODS = new Map<string, string>(
  Object.entries({
    some: "every",
    every: "some",
    startsWith: "endsWith",
    endsWith: "startsWith",
    min: "max",
    max: "min",
    toLowerCase: "toUpperCase",
    toUpperCase: "toLowerCase",
  }),
)

/** Calls that are removed from a chain: `list.filter(wanted)` becomes `list`. */
const DROPPED: ReadonlySet<string> = new Set([
  "filter",
  "reverse",
  "toReversed",
  "slice",
  "sort",
  "toSorted",
  "trim",
  "trimEnd",
  "trimStart",
])

/** The possible replacements of a node. */
export function replacements(node: Node, parent: Node | undefined, source: string): string[] {
  switch (node.type) {
    case "BinaryExpression":
    case "LogicalExpression":
    case "AssignmentExpression":
      return [...operators(node, parent, source), ...condition(node, parent)]
    case "UnaryExpression":
      return [...unary(node, source), ...condition(node, parent)]
    case "UpdateExpression":
      return parent?.type === "ForStatement" ? [] : [steps(node, source)]
    case "Literal":
      return typeof node.value === "boolean"
        ? [String(!node.value)]
        : [...words(node, parent), ...condition(node, parent)]
    case "TemplateLiteral":
      return words(node, parent)
    case "ArrayExpression":
      return isResult(node, parent) && source.slice(node.start, node.end) !== "[]" ? ["[]"] : []
    case "CallExpression":
      return [...methods(node, source), ...condition(node, parent)]
    default:
      return condition(node, parent)
  }
}

/** Whether the statement can be removed: it exists only for its side effect. */
export function canBeLeftOut(statement: Node): boolean {
  if (statement.type !== "ExpressionStatement" || statement.directive) return false
  const expression = child(statement, "expression")
  const made = expression?.type === "AwaitExpression" ? child(expression, "argument") : expression
  if (made?.type === "AssignmentExpression" || made?.type === "UpdateExpression") return true
  return made?.type === "CallExpression" && child(made, "callee")?.type !== "Super"
}

function operators(node: Node, parent: Node | undefined, source: string): string[] {
  const left = child(node, "left")
  const right = child(node, "right")
  const operator = String(node.operator)
  if (!left || !right || (isNumber(left) && isNumber(right))) return []
  if (operator.startsWith("+") && (isText(left) || isText(right))) return []
  const between = source.slice(left.end, right.start)
  const at = between.indexOf(operator)
  return others(operator, condition(node, parent).length > 0).map((other) => {
    const changed = between.slice(0, at) + other + between.slice(at + operator.length)
    return `${grouped(left, source)}${changed}${grouped(right, source)}`
  })
}

/** Negating a whole condition adds nothing to replacing it by true and by false. */
function others(operator: string, decides: boolean): readonly string[] {
  const all = OPERATORS.get(operator) ?? []
  if (!decides) return all
  return /^[<>]/.test(operator) ? all.slice(0, 1) : all.filter((other) => !other.endsWith("=="))
}

/** Mixing `??` with `&&` or `||` requires parentheses. */
function grouped(node: Node, source: string): string {
  const text = source.slice(node.start, node.end)
  return node.type === "LogicalExpression" ? `(${text})` : text
}

function unary(node: Node, source: string): string[] {
  const argument = child(node, "argument")
  if (!argument) return []
  const text = source.slice(argument.start, argument.end)
  if (node.operator === "!") return [`!!(${text})`]
  return node.operator === "-" && !isNumber(argument) ? [`+${text}`] : []
}

function steps(node: Node, source: string): string {
  const text = source.slice(node.start, node.end)
  return node.operator === "++" ? text.replace("++", "--") : text.replace("--", "++")
}

function words(node: Node, parent: Node | undefined): string[] {
  return isText(node) && node.value !== "" && isResult(node, parent) ? ['""'] : []
}

function methods(node: Node, source: string): string[] {
  const callee = child(node, "callee")
  const object = callee && child(callee, "object")
  const property = callee && child(callee, "property")
  if (callee?.type !== "MemberExpression" || callee.computed || !object || !property) return []
  const name = String(property.name)
  if (DROPPED.has(name)) return [source.slice(object.start, object.end)]
  // Schemas also have `min` and `max`.
  if ((name === "min" || name === "max") && source.slice(object.start, object.end) !== "Math") return []
  const other = METHODS.get(name)
  return other ? [`${source.slice(node.start, property.start)}${other}${source.slice(property.end, node.end)}`] : []
}

/** Conditions are replaced by true and by false, except where that would make an infinite loop. */
function condition(node: Node, parent: Node | undefined): string[] {
  if (!parent || child(parent, "test") !== node) return []
  if (parent.type === "IfStatement" || parent.type === "ConditionalExpression") return ["true", "false"]
  return parent.type === "WhileStatement" && node.type !== "Literal" ? ["false"] : []
}

function isResult(node: Node, parent: Node | undefined): boolean {
  if (parent?.type === "ReturnStatement") return true
  if (parent?.type === "ConditionalExpression") return child(parent, "test") !== node
  return parent?.type === "ArrowFunctionExpression" && child(parent, "body") === node
}

function isText(node: Node): boolean {
  return node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string")
}

/** `24 * 60 * 60_000` counts as one number. */
function isNumber(node: Node): boolean {
  if (node.type === "BinaryExpression") return isParts(node)
  return node.type === "Literal" && typeof node.value === "number"
}

function isParts(node: Node): boolean {
  const left = child(node, "left")
  const right = child(node, "right")
  return left !== undefined && right !== undefined && isNumber(left) && isNumber(right)
}
