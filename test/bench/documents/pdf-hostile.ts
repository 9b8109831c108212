// What hostile PDF files are answered with, in what time and what memory: node test/bench/documents/pdf-hostile.ts [name]
import { EngineError } from '@harvestman/ports'
import { hostileFiles } from '../../../packages/pdf/test/hostile.ts'
import { readPdf } from '../../../packages/pdf/test/read.ts'

const megabyte = 1_048_576

interface Answered {
  readonly answer: string
  readonly seconds: string
  readonly peak: string
}

async function answerTo(bytes: Uint8Array): Promise<Answered> {
  const before = process.memoryUsage.rss()
  let most = before
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 50)
  const started = performance.now()
  const answer = await said(bytes)
  clearInterval(watch)
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  return { answer, seconds, peak: `${Math.round((most - before) / megabyte)}` }
}

async function said(bytes: Uint8Array): Promise<string> {
  try {
    const { markdown, metadata, warning } = await readPdf(bytes, { timeout: 30_000 })
    const { numPages, totalPages } = metadata as { readonly numPages?: number; readonly totalPages?: number }
    const pages = `${numPages} of ${totalPages ?? '?'} pages, ${String(markdown).length} characters`
    return warning ? `${pages}; ${warning}` : pages
  } catch (error) {
    if (!EngineError.is(error)) return `not typed: ${String(error)}`
    return `\`${error.code}\` ${JSON.stringify(error.details)}: ${error.message}`
  }
}

const only = process.argv[2]
console.log('| File | MB | Result | s | added MB |\n| --- | ---: | --- | ---: | ---: |')
for (const { name, bytes } of hostileFiles) {
  if (only !== undefined && !name.includes(only)) continue
  const file = bytes()
  const { answer, seconds, peak } = await answerTo(file)
  console.log(
    `| ${name} | ${(file.length / megabyte).toFixed(1)} | ${answer.replaceAll('|', '\\|')} | ${seconds} | ${peak} |`,
  )
}
