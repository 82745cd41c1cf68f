import type { RawBytes, Services } from "../services.ts"

export const handlers = { metrics }

const TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8"

async function metrics({ metrics }: Services): Promise<RawBytes> {
  return { bytes: Buffer.from(await metrics.text()), mediaType: TEXT_FORMAT }
}
