// Writes the generated tables of docs/: errors, settings and routes, from the values that the code runs on.
// `pnpm docs:tables` writes them; the tests check that they are up to date.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { reasons } from '../packages/core/src/crawl/reasons.ts'
import { coordinationKeys } from '../packages/coordination/src/keys.ts'
import { htmlParser } from '../packages/core/src/parsers/html.ts'
import { textParsers } from '../packages/core/src/parsers/text.ts'
import { documents } from '../packages/documents/src/documents.ts'
import { pdf } from '../packages/pdf/src/pdf.ts'
import { storeKeys } from '../packages/core/src/keys.ts'
import { siteKeys } from '../packages/site/src/keys.ts'
import { liveKeys } from '../packages/live/src/keys.ts'
import { datasetKeys } from '../packages/data/src/datasets/keys.ts'
import { monitorKeys } from '../packages/monitors/src/keys.ts'
import { recordKeys } from '../packages/record/src/calls/keys.ts'
import { errorCodes, type ErrorCode } from '../packages/ports/src/errors/codes.ts'
import { answers } from '../packages/answers/src/index.ts'
import { hostingKeys } from '../packages/hosting/src/keys.ts'
import { routesOf, statuses, statusesOf } from '../packages/http/src/index.ts'
import { clientKeys, refusedKeys } from '../packages/http/src/request/client-keys.ts'
import { ownFeatures } from '../packages/node/src/own-features.ts'
import { describeSettings } from '../packages/node/src/describe-settings.ts'
import { references } from './docs-reference.ts'

const routes = routesOf(answers.jobs, ownFeatures)

const root = fileURLToPath(new URL('..', import.meta.url))

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function errors(): string {
  const rows = Object.entries(errorCodes).map(([code, { means, retryable }]) => {
    const { status, code: wire } = statuses[code as ErrorCode]
    return [`[\`${code}\`](#${code})`, means, retryable ? 'yes' : 'no', String(status), `\`${wire}\``]
  })
  return table(['Code', 'Meaning', 'Retry', 'Status', 'Code over HTTP'], rows)
}

function leftOut(): string {
  return table(
    ['Reason', 'Meaning'],
    Object.entries(reasons).map(([reason, sentence]) => [`\`${reason}\``, sentence]),
  )
}

function settings(): string {
  const rows = describeSettings().map(({ key, names, about }) => {
    const value = about.defaultText ?? (about.default === undefined ? 'none' : `\`${JSON.stringify(about.default)}\``)
    const unit = about.unit === undefined ? '' : ` In ${about.unit}.`
    return [`\`${key}\``, names.map((name) => `\`${name}\``).join(', '), value, `${about.description ?? ''}${unit}`]
  })
  return table(['Key', 'Environment variable, first one set wins', 'Default', 'Description'], rows)
}

function endpoints(): string {
  return table(
    ['Method', 'Path', 'Description'],
    routes
      .filter(({ unsupported }) => unsupported === undefined)
      .map(({ method, path, summary }) => [method, `\`${path}\``, summary]),
  )
}

function notOffered(): string {
  const missing = routes.flatMap(({ method, path, unsupported }) =>
    unsupported === undefined ? [] : [{ method, path, unsupported }],
  )
  const paths = Map.groupBy(missing, ({ path }) => path)
  return table(
    ['Path', 'Methods', 'Instead'],
    [...paths].map(([path, rows]) => [
      `\`${path}\``,
      rows.map(({ method }) => method).join(', '),
      rows[0]?.unsupported ?? '',
    ]),
  )
}

/** Why an option of the public API is refused. */
const whyRefused: Readonly<Record<string, string>> = {
  agent:
    'The agent of the hosted service that loads a page. Use [actions](reference.md#actions) or an [agent](answers.md).',
  checkPromptInjection: 'Served for pages, not for maps and jobs with one result.',
  lockdown: 'Served for scrapes of one page in version 2, not in version 1 and not for jobs.',
  alexandria: 'There are no data providers of the vendor here.',
  onlyCleanContent: 'Content is not rewritten by a model. `onlyMainContent` and `excludeTags` select it.',
  profile: 'Served for pages in version 2, not in version 1 and not for maps.',
  redactPII: 'Served for pages in version 2, not in version 1 and not for jobs with one result.',
  safeMode: 'Content is not scored.',
  threatProtection: 'Served in version 2. In version 1, only that of the team applies.',
}

function refusedOptions(): string {
  const rows = [...refusedKeys].map((key) => {
    const reason = whyRefused[key]
    if (reason === undefined) throw new Error(`docs-tables.ts has no reason why ${key} is refused. Add it.`)
    return [`\`${key}\``, reason]
  })
  return table(['Option', 'Reason'], rows)
}

/** Options of the public API that are accepted and have no effect. */
function ignoredOptions(): string {
  const ignored = [...clientKeys].filter((key) => !refusedKeys.has(key))
  return `${ignored.map((key) => `\`${key}\``).join(', ')}.`
}

/** What an engine keeps, by how the keys of the store begin. */
function keys(): string {
  return table(
    ['Prefix', 'Content', 'Written by', 'Lifetime'],
    // One after the other: the same name in two of them means two things.
    [storeKeys, siteKeys, coordinationKeys, hostingKeys, liveKeys, monitorKeys, datasetKeys, recordKeys]
      .flatMap((catalog) => Object.values(catalog))
      .map(({ begins, keeps, writes, lives }) => [`\`${begins}\``, keeps, writes, lives]),
  )
}

/** Which row answers with which status: a column for each status that any has. */
function statusMatrix(): string {
  const offered = routes.filter(({ unsupported }) => unsupported === undefined)
  const of = new Map(offered.map((route) => [route, new Set(statusesOf(route).map(({ status }) => status))]))
  const all = [...new Set([...of.values()].flatMap((found) => [...found]))].toSorted((one, other) => one - other)
  const shown = all.filter((status) => status !== 200)
  return table(
    ['Endpoint', ...shown.map(String)],
    offered.map((route) => [
      `${route.method} \`${route.path}\``,
      ...shown.map((status) => (of.get(route)?.has(status) ? '●' : '')),
    ]),
  )
}

/** The files that the parsers of core and of the packages for documents read. */
function files(): string {
  const own = [htmlParser, ...textParsers]
  const parsers = [...documents().parsers, ...pdf().parsers, ...own]
  return table(
    ['Format', 'Extensions', 'Media types', 'Plugin'],
    parsers.flatMap((parser) =>
      (parser.files ?? []).map(({ format, extensions, mimeTypes }) => [
        format,
        extensions.map((extension) => `\`.${extension}\``).join(', '),
        mimeTypes.map((type) => `\`${type}\``).join(', '),
        own.includes(parser) ? 'none' : parser.name === 'pdf' ? '`pdf()`' : '`documents()`',
      ]),
    ),
  )
}

const tables: Readonly<Record<string, () => string>> = {
  ...references,
  errors,
  settings,
  routes: endpoints,
  unsupported: notOffered,
  refusedOptions,
  ignoredOptions,
  statusMatrix,
  reasons: leftOut,
  keys,
  files,
}

/** The text of a page with its generated part made anew. */
export function renew(text: string): string {
  return text.replaceAll(/<!-- generated: (\w+) -->\n[^]*?<!-- end -->/g, (_, name: string) => {
    const make = tables[name]
    if (!make) throw new Error(`No table is called ${name}.`)
    return `<!-- generated: ${name} -->\n\n${make()}\n\n<!-- end -->`
  })
}

/** Puts the example programs into the pages that name them. */
export function withExamples(text: string): string {
  return text.replaceAll(/<!-- example: ([\w./-]+) -->(?:\n\n```ts\n(?:[^]*?\n)??```(?!\w))?/g, (_, file: string) => {
    const program = readFileSync(`${root}docs/${file.includes('/') ? file : `examples/${file}`}`, 'utf8').trim()
    return `<!-- example: ${file} -->\n\n\`\`\`ts\n${program}\n\`\`\``
  })
}

/** The pages with generated blocks. */
export const pages = globSync('docs/*.md', { cwd: root })
  .filter((page) => /^<!-- (?:generated|example): /m.test(readFileSync(root + page, 'utf8')))
  .toSorted()

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const page of pages) {
    const text = readFileSync(root + page, 'utf8')
    writeFileSync(root + page, withExamples(renew(text)))
  }
}
