// Measures what users have: packed packages, cold processes, plain Node without flags, the first page included.
// node test/bench/users/run.ts [--rounds <n>] [--only <part of a row's name>]… [--pages <folder of saved pages>]
//   [--installed <folder>]… [--json]
// Without --installed it packs and installs this tree. Several folders, such as before and after a change, are measured in turns.
// Rows of one page have a warm compile cache, which the command writes in its first run; the first round does not count.
import { fork, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { median, startOr, tellRatios, type Ratios } from '../ratios.ts'
import { addPrograms, installTree } from './project.ts'
import { rows, type Figures, type Site } from './rows.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', multiple: true, default: [''] },
    pages: { type: 'string', default: '' },
    installed: { type: 'string', multiple: true, default: [] },
    json: { type: 'boolean', default: false },
  },
})
const generatedPages = 2_000
const savedPages = 300

const file = (name: string): string => join(import.meta.dirname, name)

async function startSite(script: string, args: readonly string[]): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(file(script), args)
  const { port } = await new Promise<{ readonly port: number }>((settle, reject) => {
    child.once('message', (message) => settle(message as { readonly port: number }))
    child.once('exit', (code) => reject(new Error(`${script} exited with ${code}.`)))
  })
  return { child, url: `http://127.0.0.1:${port}/` }
}

const tree = values.installed.length > 0 ? [] : await startOr(async () => [await installTree()])
if (typeof tree === 'string') {
  if (!values.json) throw new Error(tree)
  tellRatios({}, { 'packed packages': tree })
  process.exit()
}
const projects = [...values.installed.map((folder) => resolve(folder)), ...tree]
for (const project of projects) await addPrograms(project)
// Each project has a home folder, in which the command writes its compile cache.
const home = mkdtempSync(join(tmpdir(), 'harvestman-home-'))
process.once('exit', () => rmSync(home, { recursive: true, force: true }))
for (const index of projects.keys()) mkdirSync(join(home, String(index)))

const generated = await startSite('../crawl/site.ts', [String(generatedPages), '0'])
const styled = await startSite('../crawl/site.ts', [String(generatedPages), '0', 'styled'])
const saved = await startSite('../scrape/pages.ts', [values.pages, String(savedPages)])
process.once('exit', () => [generated, styled, saved].forEach(({ child }) => child.kill()))
const site: Site = { generated: generated.url, styled: styled.url, saved: saved.url }

const chosen = rows.filter(({ name }) => values.only.some((part) => name.includes(part)))
const found = new Map<string, Figures[]>()
for (let round = 0; round <= Number(values.rounds); round += 1)
  for (const { name, run } of chosen)
    for (const [index, project] of projects.entries()) {
      const key = projects.length > 1 ? `${name} [${index + 1}]` : name
      const figures = await run(site, { project, home: join(home, String(index)) })
      console.error(`${key}: ${JSON.stringify(figures)}`)
      if (round > 0) found.set(key, [...(found.get(key) ?? []), figures])
    }

const figure = (name: string, column: string): number =>
  median((found.get(name) ?? []).flatMap((figures) => figures[column] ?? []))

/** The ratios of the rows that were measured. */
function ratios(): Ratios {
  const pairs = [
    ['one page: library', 'one page: naive script', 'CPU ms'],
    ['one page: harvestman scrape', 'one page: naive script', 'CPU ms'],
    ['200 pages: ours, main content, SQLite', '200 pages: naive stack', 'CPU ms a page'],
    ['200 pages: ours, whole page, SQLite', '200 pages: naive stack', 'CPU ms a page'],
    ['200 pages: ours, main content, SQLite', '200 pages: naive stack', 'peak MB'],
  ] as const
  return Object.fromEntries(
    pairs
      .filter((pair) => pair.slice(0, 2).every((name) => found.has(name)))
      .map(([own, peer, column]) => [`${own}, ${column}, over ${peer}`, figure(own, column) / figure(peer, column)]),
  )
}

const columns = ['CPU ms', 'wall ms', 'p90 ms', 'max ms', 'CPU ms a page', 'main thread', 'peak MB']
console.log(`| | ${columns.join(' | ')} |\n|${' --- |'.repeat(columns.length + 1)}`)
for (const [name, runs] of found) {
  const cell = (column: string): string => {
    const measured = runs.flatMap((figures) => figures[column] ?? [])
    return measured.length === 0 ? '' : median(measured).toFixed(column.endsWith('a page') ? 2 : 1)
  }
  console.log(`| ${name} | ${columns.map(cell).join(' | ')} |`)
}
if (values.json) tellRatios(ratios())
process.exit()
