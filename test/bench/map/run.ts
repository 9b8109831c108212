// What a sitemap of 500,000 addresses costs beside XML parsers, and a map of 100,000 links.
// Run: node test/bench/map/run.ts --peers <folder with saxes, sax and fast-xml-parser>
import { execFileSync } from 'node:child_process'
import { mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { asksForRatios, given, tellRatios } from '../ratios.ts'
import type { Cost } from './contenders.ts'

const count = 500_000
const rounds = 3

function writeSitemap(file: string): void {
  const out = openSync(file, 'w')
  writeSync(
    out,
    '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n',
  )
  for (let from = 0; from < count; from += 1_000) {
    const rows = Array.from({ length: 1_000 }, (_, at) => row(from + at))
    writeSync(out, rows.join(''))
  }
  writeSync(out, '</urlset>\n')
}

function row(number: number): string {
  const day = String((number % 28) + 1).padStart(2, '0')
  return `<url><loc>https://www.example.com/c${number % 97}/p-${number}</loc><lastmod>2026-01-${day}</lastmod></url>\n`
}

function run(script: string, ...given: string[]): string {
  const output = execFileSync(process.execPath, [join(import.meta.dirname, script), ...given], { encoding: 'utf8' })
  return output.trim().split('\n').at(-1) ?? ''
}

function best(file: string, name: string, peers: string): Cost {
  const costs = Array.from({ length: rounds }, () => JSON.parse(run('contenders.ts', name, file, peers)) as Cost)
  return {
    name,
    urls: costs[0]!.urls,
    cpu: Math.min(...costs.map(({ cpu }) => cpu)),
    stall: Math.min(...costs.map(({ stall }) => stall)),
    rss: Math.min(...costs.map(({ rss }) => rss)),
  }
}

function main(): void {
  const { values } = parseArgs({ args: [...given], options: { peers: { type: 'string' } } })
  const ours = 'a sitemap of 500,000 addresses, over saxes'
  if (asksForRatios && !values.peers) return tellRatios({}, { [ours]: 'saxes is not installed: give --peers.' })
  const folder = mkdtempSync(join(tmpdir(), 'bench-map-'))
  const file = join(folder, 'sitemap.xml')
  try {
    writeSitemap(file)
    console.log(
      `A sitemap of ${count} addresses, ${(statSync(file).size / 1e6).toFixed(0)} MB; the best of ${rounds} runs.`,
    )
    console.log('| Reader | Addresses | CPU ms | CPU over saxes | Longest stall ms | Peak RSS MB |')
    console.log('| --- | ---: | ---: | ---: | ---: | ---: |')
    const names = values.peers ? ['reading alone', 'harvestman', 'saxes', 'sax', 'fast-xml-parser'] : ['harvestman']
    const costs = names.map((name) => best(file, name, values.peers ?? ''))
    const saxes = costs.find(({ name }) => name === 'saxes')?.cpu
    for (const { name, urls, cpu, stall, rss } of costs) {
      const ratio = saxes === undefined ? '' : (cpu / saxes).toFixed(2)
      console.log(`| ${name} | ${urls} | ${cpu.toFixed(0)} | ${ratio} | ${stall.toFixed(1)} | ${rss.toFixed(0)} |`)
    }
    console.log(`\n${run('whole-map.ts')}`)
    const own = costs.find(({ name }) => name === 'harvestman')
    if (own && saxes !== undefined) tellRatios({ [ours]: own.cpu / saxes })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

main()
