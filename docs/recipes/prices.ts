// Reads a typed value from each of many pages, with the URL of its page.
import { createEngine } from '@harvestman/core'
import { z } from 'zod'

const urls = process.argv.length > 2 ? process.argv.slice(2) : ['https://example.com/kettle', 'https://example.com/pot']
const product = z.object({ name: z.string(), price: z.number() })
const engine = createEngine()
const batch = await engine.batch({ urls, formats: [{ type: 'json', schema: product }] })
for await (const { json, metadata } of batch.documents()) console.log(json.price, json.name, metadata.sourceURL)
await engine.close()
