import { describe, expect, it } from "vitest"
import { formulasIn, MOST_FORMULA_CHARS } from "./formulas.ts"

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

  it("one that is too long stays as it was written", () => {
    none(`$${"x".repeat(MOST_FORMULA_CHARS + 1)}$`)
    none(`$$${"x".repeat(MOST_FORMULA_CHARS + 1)}$$`)
  })
})
