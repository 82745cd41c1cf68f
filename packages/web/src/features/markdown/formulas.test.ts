import { describe, expect, it } from "vitest"
import { formulasIn, MAX_FORMULA_CHARS } from "./formulas.ts"

const none = (text: string) => expect(formulasIn(text), text).toEqual({ text, has: false })
const some = (text: string, written = text) => expect(formulasIn(text)).toEqual({ text: written, has: true })

describe("formulas", () => {
  it("stand between dollars or brackets", () => {
    some("Take $x^2$.")
    some("\\(x^2\\) is", "$x^2$ is")
    some("It is $$x$$ then", "It is $x$ then")
    some("$$x$$", "$$\nx\n$$")
    some("$$\nx\n+ y\n$$")
    some("\\[\nx = 1\n\\]", "$$\nx = 1\n$$")
    some("- a\n  $$x$$", "- a\n  $$\n  x\n  $$")
    some("$\\$5$")
  })

  it("money and variables are not formulas", () => {
    for (const text of ["$5", "$5 and $10", "It costs $20,000 to $30,000.", "US$5/AU$6", "$HOME/$USER", "$ x $", "5$"])
      none(text)
    none("\\$x\\$")
    none("$a\n\nb$")
    none("\\[not a link\\]")
    none("$$unclosed")
  })

  it("money beside a formula is escaped", () => {
    some("For $5, $x$ is", "For \\$5, $x$ is")
    some("$x$ costs $5", "$x$ costs \\$5")
  })

  it("code is left alone", () => {
    none("`$x$`")
    none("``a ` $x$``")
    none("- a\n  ```\n  $x$\n  ```")
    none("a\n\n    $x$\n")
    some("`$a` and $x$ and `$b`")
  })

  it("stand in lists as deep as those go, where four spaces make no code", () => {
    some("- a\n    - $x^2$")
    some("1. a\n\n    Take $x^2$.")
    some("1. a\n\n    $$x$$", "1. a\n\n    $$\n    x\n    $$")
    some("a\n    $x$")
    some("- $x$\n    - for $5", "- $x$\n    - for \\$5")
  })

  it("code by its indent is code to its last line, in a list too", () => {
    none("    $x$\n\n    $y$\n")
    none("- a\n\n      $x$")
    none("a\n\n\t$x$")
    some("$x$\n\n    a $5\n    b $6\n\nfor $7", "$x$\n\n    a $5\n    b $6\n\nfor \\$7")
  })

  it("an empty line ends the hope for one, and a mark that is escaped opens none", () => {
    none("$$a\n\nb$$")
    none("$$ $$")
    none("\\\\(not one\\\\)")
    some("\\$5 and $x$")
    some("$x$-axis")
    some("($x$)")
  })

  it("one that is too long stays as it was written", () => {
    none(`$${"x".repeat(MAX_FORMULA_CHARS + 1)}$`)
    none(`$$${"x".repeat(MAX_FORMULA_CHARS + 1)}$$`)
  })
})
