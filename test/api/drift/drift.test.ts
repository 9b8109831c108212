// What the newest SDK knows and this server does not. The expected findings are data: a new SDK, or a new field of ours, changes them.
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, onTestFinished, test } from 'vitest'

import { compare, findRemovals, print } from './compare.ts'
import { readOpenApi } from './openapi.ts'
import { readOurDocument } from './ours.ts'
import { readSdk } from './sdk.ts'

const folder = fileURLToPath(new URL('../../node_modules/firecrawl', import.meta.url))
const document = await readOurDocument()
const ours = readOpenApi(document)
const linesOf = (path: string) => print(compare(readSdk(path), ours)).split('\n')

test('the pinned SDK differs from this server only as the expected findings list', async () => {
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { readonly version: string }
  const expected = await readFile(new URL(`./firecrawl-${version}.txt`, import.meta.url), 'utf8')
  // After a change that you want: node test/api/drift/drift.ts test/node_modules/firecrawl > test/api/drift/firecrawl-<version>.txt
  expect(linesOf(folder)).toEqual(expected.trimEnd().split('\n'))
})

type Change = readonly [from: string, to: string]

/** Returns the folder of a copy of the pinned SDK with changes of its script and declarations. */
async function alteredCopy(script: readonly Change[], declarations: readonly Change[]): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'harvestman-drift-'))
  onTestFinished(() => rm(copy, { recursive: true }))
  await mkdir(join(copy, 'dist'))
  await copyFile(join(folder, 'package.json'), join(copy, 'package.json'))
  const alter = async (name: string, changes: readonly Change[]) => {
    const text = await readFile(join(folder, 'dist', name), 'utf8')
    const altered = changes.reduce((before, [from, to]) => {
      expect(before.includes(from), from).toBe(true)
      return before.replace(from, to)
    }, text)
    await writeFile(join(copy, 'dist', name), altered)
  }
  await alter('index.js', script)
  await alter('index.d.ts', declarations)
  return copy
}

const shortened = (lines: readonly string[]) =>
  lines.map((line) => line.replaceAll(/ {2,}| \(and \d+ more\)/g, ' ').replace(/ *\[(\S+):\d+\]/, ' [$1]'))

test('a route, a field, a value, a type and an error code that an SDK adds or changes are printed, each with its place', async () => {
  const copy = await alteredCopy(
    [
      [
        'async function startCrawl(',
        'async function pause(http, id) { return http.patch(`/v2/crawl/${id}/pause?now=1`, {}) } async function startCrawl(',
      ],
      ['body?.code !== "SCRAPE_TIMEOUT"', 'body?.code === "SCRAPE_FROZEN" || body?.code !== "SCRAPE_TIMEOUT"'],
    ],
    [
      ['    waitFor?: number;', '    waitFor?: string; depthOfField?: number;'],
      ['type FormatString = "markdown"', 'type FormatString = "hologram" | "markdown"'],
      ['    summary?: string;', '    summary?: number; mood?: string;'],
    ],
  )
  const before = new Set(linesOf(folder))
  const added = linesOf(copy).filter((line) => !before.has(line))
  expect(shortened(added)).toEqual([
    'new code SCRAPE_FROZEN [index.js]',
    'new field POST /v2/scrape depthOfField: number [index.d.ts]',
    'new route PATCH /v2/crawl/{}/pause [index.js]',
    'new value POST /v2/parse formats[].type: "hologram" [index.d.ts]',
    'new value POST /v2/parse formats[]: "hologram" [index.d.ts]',
    'new value POST /v2/scrape formats[].type: "hologram" [index.d.ts]',
    'new value POST /v2/scrape formats[]: "hologram" [index.d.ts]',
    'not returned POST /v2/scrape mood: string [index.d.ts]',
    'not returned POST /v2/search images[].summary: number [index.d.ts]',
    'other type POST /v2/scrape summary: number, ours string [index.d.ts]',
    'other type POST /v2/scrape waitFor: string, ours number [index.d.ts]',
  ])
})

test('a value that this server returns and a new release of an SDK does not know is printed', async () => {
  const statuses = 'status: "processing" | "completed" | "failed"'
  const copy = await alteredCopy([], [[statuses, 'status: "processing" | "completed"']])
  const before = new Set(linesOf(folder))
  const added = linesOf(copy).filter((line) => !before.has(line))
  expect(shortened(added)).toContain('unknown value GET /v2/agent/{} status: "failed" [index.d.ts]')
})

test('what a new release of an SDK no longer has is printed when it is compared with the older one', async () => {
  const copy = await alteredCopy(
    [['`/v2/crawl/${crawlId}/errors`', '`/v2/crawl/${crawlId}`']],
    [
      ['    waitFor?: number;', ''],
      ['type FormatString = "markdown" |', 'type FormatString ='],
    ],
  )
  expect(findRemovals(readSdk(folder), readSdk(folder))).toEqual([])
  const lines = print(findRemovals(readSdk(folder), readSdk(copy))).split('\n')
  expect(shortened(lines)).toEqual([
    'gone field POST /v2/scrape waitFor: number [index.d.ts]',
    'gone route GET /v2/crawl/{}/errors [index.js]',
    'gone value POST /v2/parse formats[].type: "markdown" [index.d.ts]',
    'gone value POST /v2/parse formats[]: "markdown" [index.d.ts]',
    'gone value POST /v2/scrape formats[].type: "markdown" [index.d.ts]',
    'gone value POST /v2/scrape formats[]: "markdown" [index.d.ts]',
  ])
})

test('an OpenAPI document is compared in the same way, and our own has no differences', () => {
  expect(compare(ours, ours).filter(({ kind }) => !/^(?:refused|ignored)/.test(kind))).toEqual([])
  const altered = JSON.parse(JSON.stringify(document)) as {
    readonly paths: Record<
      string,
      Record<
        string,
        {
          readonly requestBody: {
            readonly content: Record<string, { readonly schema: { readonly properties: Record<string, object> } }>
          }
        }
      >
    >
  }
  const { '/v2/map': map } = altered.paths
  const properties = map?.['post']?.requestBody.content['application/json']?.schema.properties
  Object.assign(properties ?? {}, { limit: { type: 'boolean' }, order: { enum: ['alphabetical'] } })
  Object.assign(altered.paths, { '/v2/map/{id}': { get: { responses: { 409: { description: 'MAP_TORN' } } } } })
  const found = compare(readOpenApi(altered), ours).filter(({ kind }) => !/^(?:refused|ignored)/.test(kind))
  const at = '#/paths/~1v2~1map/post/requestBody/properties'
  expect(found).toEqual([
    { kind: 'other type', where: 'POST /v2/map limit', what: 'boolean, ours number', at: `${at}/limit` },
    { kind: 'new field', where: 'POST /v2/map order', what: '"alphabetical"', at: `${at}/order` },
    { kind: 'new route', where: 'GET /v2/map/{}', what: '', at: '#/paths/~1v2~1map~1{id}/get' },
    { kind: 'new code', where: 'MAP_TORN', what: '', at: '#/paths/~1v2~1map~1{id}/get/responses/409' },
  ])
})
