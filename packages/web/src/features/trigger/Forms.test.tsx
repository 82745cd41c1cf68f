import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import { HookForm } from "./HookForm.tsx"
import { NoticeForm } from "./NoticeForm.tsx"
import { ScheduleForm } from "./ScheduleForm.tsx"
import { Secret } from "./Secret.tsx"

const never = async () => {
  throw new Error("nobody pressed anything")
}

it("[TRG-5] a secret is shown with the address it belongs to, and each can be copied", () => {
  const html = renderToStaticMarkup(<Secret url="https://x/hooks/1" secret="whsec_1" onClose={() => {}} />)
  for (const words of ["https://x/hooks/1", "whsec_1", "Copy address", "Copy secret", "shown again"])
    expect(html).toContain(words)
})

it("[TAB-27] every box of the forms has its label", () => {
  const forms = [
    <ScheduleForm key="s" agent="host" onMake={never} onClose={() => {}} />,
    <HookForm key="h" agent="host" onMake={never} onClose={() => {}} />,
    <NoticeForm key="n" onMake={never} onClose={() => {}} />,
  ]
  for (const form of forms) {
    const html = renderToStaticMarkup(form)
    const boxes = [...html.matchAll(/<(?:input|textarea|select)[^>]* id="([^"]+)"/g)].map(([, id]) => id)
    expect(boxes.length).toBeGreaterThan(0)
    expect(html.match(/<(?:input|textarea|select)/g)).toHaveLength(boxes.length)
    for (const id of boxes) expect(html).toContain(`for="${id}"`)
  }
})

it("[TRG-3] a schedule is a sentence in the time of the person", () => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const html = renderToStaticMarkup(<ScheduleForm agent="host" onMake={never} onClose={() => {}} />)
  expect(html).toContain("Every weekday at 09:00, your time")
  expect(html).not.toContain(zone)
  expect(html).toContain("Message for host")
})
