import { t } from "../../texts/en/language.ts"
import { Segments } from "../../ui/Segments.tsx"
import { languages } from "./language.ts"
import { useLanguageChoice } from "./useLanguage.ts"

/** A language is named in itself, so that people who cannot read the current one find theirs. */
const names = { en: "English", de: "Deutsch" } as const

/** The language of the page: that of the browser, or a chosen one. */
export function LanguageChoice() {
  const [choice, choose] = useLanguageChoice()
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="mr-auto font-medium">{t("language")}</p>
      <Segments
        label={t("language")}
        value={choice ?? "browser"}
        options={[
          { value: "browser", label: t("browser") },
          ...languages.map((value) => ({ value, label: names[value] })),
        ]}
        onChange={(value) => choose(value === "browser" ? undefined : value)}
      />
    </div>
  )
}
