// False alarms of the rules of checkPromptInjection on ordinary pages, and the time that they take.
// node test/bench/screening/run.ts <corpus folder> [pages per set]
import { performance } from 'node:perf_hooks'

import { screenPage } from '../../../packages/data/src/reading/screening/screen.ts'
import { openPage } from '../../../packages/html/src/page/page.ts'
import { readCorpus } from '../corpus-pages.ts'

const [folder = '', take = '362'] = process.argv.slice(2)
const scope = { onlyMainContent: true, includeTags: [], excludeTags: [] }
const pages = readCorpus(folder, Number(take))
const times: number[] = []
let alarms = 0
for (const { name, url, html } of pages) {
  const page = openPage({ html, url }, scope)
  // Parsed before the clock starts, as every scrape does.
  void page.hiddenReasons
  const began = performance.now()
  const { found } = screenPage(page, false)
  times.push(performance.now() - began)
  if (found.length === 0) continue
  alarms += 1
  for (const { kind, place, path, text } of found)
    console.log(`${name} ${url}\n  ${kind} in ${place}, ${path}: ${text}`)
}
times.sort((a, b) => a - b)
const at = (part: number): string => (times[Math.floor(times.length * part)] ?? 0).toFixed(1)
console.log(`${alarms} of ${pages.length} pages have findings.`)
console.log(`Milliseconds per page: median ${at(0.5)}, 90% ${at(0.9)}, slowest ${at(0.9999)}.`)
