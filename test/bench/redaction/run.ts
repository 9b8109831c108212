// Precision and recall of redactPII by category, on 300 pages made by rule, and false alarms on ordinary pages:
//   node test/bench/redaction/run.ts [--pages <folder of HTML or Markdown files>] [--most 500] [--beside <folder of @openredaction/openredaction>] [--show]
import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { brotliDecompressSync } from 'node:zlib'

import { toMarkdown } from '@harvestman/html'

import { findPersonalData, maxRedacted, type FoundEntity } from '../../../packages/core/src/redact/redact.ts'
import { makePages } from './pages.ts'

interface Found {
  readonly start: number
  readonly end: number
  readonly entity: string
}

type Finder = (text: string) => Promise<readonly Found[]> | readonly Found[]

const entities: readonly FoundEntity[] = ['EMAIL', 'PHONE', 'FINANCIAL', 'SECRET']
const { values: given } = parseArgs({
  options: {
    pages: { type: 'string' },
    most: { type: 'string', default: '500' },
    beside: { type: 'string' },
    seed: { type: 'string', default: '1' },
    show: { type: 'boolean', default: false },
  },
})

const own: Finder = (text) => findPersonalData(text, { mode: 'accurate', entities })
const finders = new Map<string, Finder>([['own', own]])
if (given.beside !== undefined) finders.set('openredaction', await openRedaction(given.beside))

for (const [name, find] of finders) {
  await measure(name, find)
  if (given.pages !== undefined) await countAlarms(name, find, given.pages)
  await measureHostile(name, find)
}

async function measure(name: string, find: Finder): Promise<void> {
  const counts = new Map(entities.map((entity) => [entity, { known: 0, whole: 0, found: 0, right: 0 }]))
  let ms = 0
  const pages = makePages(300, Number(given.seed))
  for (const { text, known } of pages) {
    const began = performance.now()
    const found = await find(text)
    ms += performance.now() - began
    for (const { entity, text: value, start } of known) {
      const count = counts.get(entity)
      if (!count) continue
      count.known += 1
      const isWhole = found.some(
        (one) => one.entity === entity && one.start <= start && one.end >= start + value.length,
      )
      if (isWhole) count.whole += 1
      else if (given.show)
        console.log(`${name} missed ${entity}: ${JSON.stringify(text.slice(start - 12, start + value.length + 3))}`)
    }
    for (const one of found) {
      const count = counts.get(one.entity as FoundEntity)
      if (!count) continue
      count.found += 1
      const isRight = known.some(
        ({ entity, start, text: value }) =>
          entity === one.entity && one.start < start + value.length && one.end > start,
      )
      if (isRight) count.right += 1
      else if (given.show)
        console.log(`${name} wrong ${one.entity}: ${JSON.stringify(text.slice(one.start - 16, one.end + 3))}`)
    }
  }
  const percent = (part: number, of: number) => (of === 0 ? '-' : `${((100 * part) / of).toFixed(1)} %`).padStart(8)
  for (const [entity, { known, whole, found, right }] of counts)
    console.log(
      `${name.padEnd(14)} ${entity.padEnd(10)} known ${String(known).padStart(4)}  recall ${percent(whole, known)}  precision ${percent(right, found)}`,
    )
  console.log(
    `${name.padEnd(14)} ${(ms / pages.length).toFixed(2)} ms per page of ${String(Math.round(pages.reduce((sum, { text }) => sum + text.length, 0) / pages.length))} characters`,
  )
}

async function countAlarms(name: string, find: Finder, folder: string): Promise<void> {
  const files = readdirSync(folder).toSorted().slice(0, Number(given.most))
  const counts = new Map<string, number>()
  let [ms, characters, tooLong] = [0, 0, 0]
  for (const file of files) {
    const bytes = readFileSync(join(folder, file))
    const content = (file.endsWith('.br') ? brotliDecompressSync(bytes) : bytes).toString()
    const text = file.includes('.md') ? content : toMarkdown(content)
    if (text.length > maxRedacted) {
      tooLong += 1
      continue
    }
    characters += text.length
    const began = performance.now()
    const found = await find(text)
    ms += performance.now() - began
    for (const { entity, start, end } of found) {
      counts.set(entity, (counts.get(entity) ?? 0) + 1)
      if (given.show)
        console.log(
          `${name} on ${file}: ${entity} ${JSON.stringify(text.slice(Math.max(0, start - 30), start))} >${JSON.stringify(text.slice(start, end))}<`,
        )
    }
  }
  const printed = [...counts].map(([entity, count]) => `${entity} ${String(count)}`).join(', ')
  console.log(
    `${name.padEnd(14)} on ${String(files.length)} ordinary pages: ${printed || 'nothing'}; ${(ms / files.length).toFixed(2)} ms per page of ${String(Math.round(characters / files.length))} characters; ${String(tooLong)} too long`,
  )
}

async function measureHostile(name: string, find: Finder): Promise<void> {
  const units = [
    '1',
    '1 ',
    '1-',
    '+1',
    '(0',
    'a@',
    'a.',
    '@',
    '[at]',
    'eyJ',
    'sk-',
    'DE12',
    'token ',
    '://a:',
    '-----BEGIN PRIVATE KEY',
  ]
  let worst = { unit: '', ms: 0 }
  for (const unit of units) {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
    const began = performance.now()
    await find(text)
    const ms = performance.now() - began
    if (ms > worst.ms) worst = { unit, ms }
    if (ms > 20_000) break
  }
  console.log(
    `${name.padEnd(14)} slowest on 1 MB of hostile text: ${worst.ms.toFixed(0)} ms (${JSON.stringify(worst.unit)})`,
  )
}

async function openRedaction(folder: string): Promise<Finder> {
  const { module = 'dist/index.mjs', main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly module?: string
    readonly main?: string
  }
  const url = pathToFileURL(resolve(folder, module ?? main)).href
  const { OpenRedaction } = (await import(url)) as {
    readonly OpenRedaction: new (options: object) => { detect(text: string): unknown }
  }
  const detector = new OpenRedaction({})
  return async (text) => {
    const { detections } = (await detector.detect(text)) as {
      readonly detections: readonly { readonly type: string; readonly position: readonly [number, number] }[]
    }
    return detections.map(({ type, position: [start, end] }) => ({ start, end, entity: categoryOf(type) }))
  }
}

/** Sorts the types of the candidate into our categories, in its favor. */
function categoryOf(type: string): string {
  if (/EMAIL/.test(type)) return 'EMAIL'
  if (/PHONE|MOBILE|FAX/.test(type)) return 'PHONE'
  if (/PASSWORD|KEY|TOKEN|SECRET|JWT|BEARER|CREDENTIAL/.test(type)) return 'SECRET'
  if (
    /CARD|IBAN|BANK|ACCOUNT|ROUTING|SORT_CODE|SSN|NATIONAL|TAX|CPF|PESEL|BSN|DNI|NIE|NIR|INSEE|FISCAL|PERSONNUMMER|NINO|INSURANCE|NHS|_ID$|CVV|STEUER/.test(
      type,
    )
  )
    return 'FINANCIAL'
  return type
}
