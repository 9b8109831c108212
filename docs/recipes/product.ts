// Reads a product as typed data. If the page has markup for it, no model is called.
import { createEngine } from '@harvestman/core'
import { z } from 'zod'

const [url = 'https://example.com/kettle'] = process.argv.slice(2)
const product = z.object({ name: z.string(), price: z.number(), currency: z.string().optional() })
const engine = createEngine()
const { json } = await engine.scrape({ url, formats: [{ type: 'json', schema: product }] })
console.log(`${json.name} costs ${json.price.toFixed(2)} ${json.currency ?? ''}`.trim())
await engine.close()
