import { createEngine } from '@harvestman/core'
import { data } from '@harvestman/data'
import type { LLM } from '@harvestman/ports'
import { z } from 'zod'

const lamp = z.object({ name: z.string(), price: z.number() })

/** Reads many pages of one template. The model is called only for the first one. */
export async function readLamps(urls: readonly string[], llm: LLM, allowPrivate: readonly string[] = []) {
  await using engine = createEngine({ allowPrivate, llm, plugins: [data()] })
  const lamps: z.output<typeof lamp>[] = []
  for (const url of urls) {
    const { json } = await engine.scrape({ url, formats: [{ type: 'json', schema: lamp }] })
    lamps.push(json)
  }
  const [extractor] = await engine.extractors.list()
  const fields = Object.keys(extractor?.program.fields ?? {})
  return { lamps, fields }
}
