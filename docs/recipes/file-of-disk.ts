// Converts a local file to Markdown. Its type is detected from its bytes.
import { readFile } from 'node:fs/promises'

import { createEngine } from '@harvestman/core'
import { documents } from '@harvestman/documents'
import { pdf } from '@harvestman/documents/pdf'

const [file = 'report.docx'] = process.argv.slice(2)
const engine = createEngine({ plugins: [pdf(), documents()] })
const { markdown } = await engine.parse(await readFile(file), { name: file })
console.log(markdown.trim())
await engine.close()
