// @module-tag long
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, globSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

import { startSite } from '@harvestman/testing'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { plainBrowser } from '../plain-browser.ts'
import { runInBrowser } from './in-browser.ts'
import { closureOf, docsPage, manifests, root, slugOf } from './packing.ts'
import { entries, inPlaceAndInAWorker, installIn, openProject, plain, scraping, type Project } from './project.ts'

let project: Project

beforeAll(async () => {
  project = await openProject()
}, 900_000)

const alone = mkdtempSync(join(tmpdir(), 'harvestman-html-'))

const mcp = mkdtempSync(join(tmpdir(), 'harvestman-mcp-'))

afterAll(() => {
  for (const folder of [alone, mcp]) rmSync(folder, { recursive: true, force: true })
}, 900_000)

/** What a module that is written here says, where the packed packages are installed. */
function run(program: string): string {
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: project.folder,
    encoding: 'utf8',
  })
}

test('every entry of every package can be imported', () => {
  const found = run(`for (const entry of ${JSON.stringify(entries)}) { await import(entry); console.log(entry) }`)
  expect(found.trim().split('\n')).toEqual(entries)
})

/** The files that a program loads, as paths within `node_modules`, and their characters. */
function filesOf(program: string): readonly (readonly [file: string, characters: number])[] {
  const found = run(`import { registerHooks } from 'node:module'
    const files = []
    const load = (url, context, next) => {
      const loaded = next(url, context)
      if (url.startsWith('file:')) files.push([url.split('/node_modules/').at(-1), loaded.source?.length ?? 0])
      return loaded
    }
    registerHooks({ load })
    ${program}
    console.log(JSON.stringify(files))`)
  return JSON.parse(found) as readonly (readonly [string, number])[]
}

test('to import core loads less than sixty files, and none of zod, whose languages alone are as many', () => {
  const files = filesOf("await import('@harvestman/core')")
  expect(files.map(([file]) => file)).toContain('@harvestman/core/dist/index.js')
  expect(files.length).toBeLessThan(60)
  expect(files.filter(([file]) => file.startsWith('zod/'))).toEqual([])
  expect(files.reduce((sum, [, characters]) => sum + characters, 0)).toBeLessThan(1_200_000)
})

test('all packages share what the engine has of zod', () => {
  const needing = [
    'data',
    'data/answers',
    'http',
    'http/hosting',
    'live',
    'live/scripts',
    'live/people',
    'monitors',
    'monitors/recrawl',
    'record',
  ]
  const files = filesOf(needing.map((name) => `await import('@harvestman/${name}')`).join('\n'))
  expect(files.filter(([file]) => /^@harvestman\/core\/dist\/parts\/(?:\w+-)*zod-/.test(file))).toHaveLength(1)
  expect(files.filter(([file]) => file.startsWith('zod/'))).toEqual([])
})

test('what is bundled comes with its licence', () => {
  const text = readFileSync(join(project.installed, 'node_modules/@harvestman/core/dist/licences.txt'), 'utf8')
  expect(text).toMatch(/^zod \d+\.\d+\.\d+\n\nMIT License\n/)
})

test('a schema that a program makes with a zod of its own is asked of the model, and refused when it says no JSON', async () => {
  const program = `import { createEngine } from '@harvestman/core'
    import { z } from 'zod'
    const [url, allow] = process.argv.slice(2)
    const llm = { ask: async ({ schema }) => ({ value: { tone: schema.properties.tone.enum[1] }, tokens: 1 }) }
    const engine = createEngine({ allowPrivate: [allow], llm })
    const schema = z.object({ tone: z.enum(['dry', 'merry']) })
    const { json } = await engine.scrape({ url, formats: [{ type: 'json', schema }] })
    console.log(json.tone)
    const refused = await engine.scrape({ url, formats: [{ type: 'json', schema: z.bigint() }] }).catch((error) => error)
    console.log(refused.code)
    await engine.close()`
  expect(await project.runAgainstSite(project.write('own-zod.mjs', program))).toBe('merry\ninvalid_request\n')
})

test('the packed engine scrapes, in place and in a worker', async () => {
  expect(await project.runAgainstSite(project.write('plain.mjs', plain))).toBe(inPlaceAndInAWorker)
})

test('a program of CommonJS may require it', async () => {
  const program = scraping("const { createEngine } = require('@harvestman/core')").replace('export ', '')
  const file = project.write('required.cjs', `${program}\nscrapeTwice(...process.argv.slice(2))`)
  expect(await project.runAgainstSite(file)).toBe(inPlaceAndInAWorker)
})

test('a kind of job that is written for the packed packages runs', async () => {
  copyFileSync(join(root, 'docs/examples/job-kind/dead-links.ts'), join(project.folder, 'dead-links.ts'))
  const program = `import { createEngine } from '@harvestman/core'
    import { deadLinks, links } from './dead-links.ts'
    const [url, allow] = process.argv.slice(2)
    const engine = createEngine({ allowPrivate: [allow], plugins: [links] })
    const { status, data } = await (await engine.start(deadLinks, { url, limit: 1 })).end()
    console.log(status, typeof data.report)
    await engine.close()`
  expect(await project.runAgainstSite(project.write('kind.mjs', program))).toBe('completed string\n')
})

test('readings of a packed package, and of a plugin that is written for it, run in a thread', async () => {
  for (const file of ['plugin-reading.ts', 'spec-table.ts'])
    copyFileSync(join(root, 'docs/examples', file), join(project.folder, file))
  const program = `import { createEngine } from '@harvestman/core'
    import { data } from '@harvestman/data'
    import { specTables } from './plugin-reading.ts'
    const [url, allow] = process.argv.slice(2)
    for (const inlineBytes of [0, 1e6]) {
      const engine = createEngine({ allowPrivate: [allow], plugins: [data(), specTables], limits: { inlineBytes } })
      const { items, specs } = await engine.scrape({ url, formats: ['items', 'specs'] })
      console.log(Array.isArray(items.rows), Array.isArray(specs))
      await engine.close()
    }`
  const ran = await project.runAgainstSite(project.write('readings.mjs', program))
  expect(ran).toBe('true true\ntrue true\n')
})

test('the packed command runs', () => {
  // Its first line asks for whatever `node` comes first on the path.
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`
  const help = execFileSync(join(project.installed, 'node_modules/.bin/harvestman'), ['--help'], {
    encoding: 'utf8',
    env: { ...process.env, PATH },
  })
  expect(help).toContain('scrape')
})

test(
  'the packed tools for models read a page for the official client, in a project that has nothing else',
  { tags: ['long'] },
  async () => {
    const names = [...closureOf('@harvestman/mcp')]
    const tarballs = readdirSync(project.packed)
    const tarballOf = (name: string): string => {
      const slug = slugOf(name)
      const found = tarballs.find((file) => file.startsWith(slug) && /^\d/.test(file.slice(slug.length)))
      return join(project.packed, found!)
    }
    installIn(mcp, names.map(tarballOf))
    const site = await startSite()
    const { bin } = JSON.parse(readFileSync(join(mcp, 'node_modules/@harvestman/mcp/package.json'), 'utf8')) as {
      readonly bin: Readonly<Record<string, string>>
    }
    // `npx @harvestman/mcp` starts the only command of the package.
    const [command, ...others] = Object.keys(bin)
    expect(others).toEqual([])
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(
      new StdioClientTransport({
        command: join(mcp, 'node_modules/.bin', command!),
        args: ['--store', 'memory:', '--allow-private', '127.0.0.1/32'],
        cwd: mcp,
        env: { PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`, HOME: mcp },
      }),
    )
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['scrape', 'crawl', 'read', 'interact']))
    const { content } = await client.callTool({ name: 'scrape', arguments: { url: `${site.url}/good/article` } })
    expect(JSON.stringify(content)).toMatch(/Status: 200.*<page-content/)
    await client.close()
    await site.close()
  },
)

test('the packed command carries the docs that it was built with', () => {
  const page = join(project.installed, 'node_modules/@harvestman/cli/dist/docs/index.html')
  expect(readFileSync(page, 'utf8')).toBe(docsPage)
})

test('no tarball carries a test or a source map to a place that is not there', () => {
  const files = globSync('node_modules/@harvestman/*/**/*', { cwd: project.installed })
  const ours = files.filter((file) => !file.includes('/node_modules/'))
  expect(ours.length).toBeGreaterThan(1_000)
  expect(ours.filter((file) => /\.test\.|\/src\//.test(file))).toEqual([])
})

test('no link of a README leads out of its package', () => {
  const readmes = globSync('node_modules/{@harvestman/*,create-harvestman}/README.md', { cwd: project.installed })
  expect(readmes).toHaveLength(manifests.length)
  for (const readme of readmes) {
    const links = [...readFileSync(join(project.installed, readme), 'utf8').matchAll(/\]\((?!https?:|#)([^)]+)\)/g)]
    const dead = links
      .map(([, to = '']) => join(dirname(readme), to))
      .filter((to) => !existsSync(join(project.installed, to)))
    expect(dead).toEqual([])
  }
})

test(
  'the html package works by itself, in Node, in a page of a browser and in its worker',
  { tags: ['long', 'browser'] },
  async () => {
    const tarball = readdirSync(project.packed).find((name) => /^harvestman-html-.*\.tgz$/.test(name))!
    installIn(alone, [join(project.packed, tarball)], { flags: ['--offline'] })
    const folder = join(alone, 'node_modules/@harvestman/html')
    expect(globSync('node_modules/{*,@*/*}/package.json', { cwd: alone })).toEqual([
      'node_modules/@harvestman/html/package.json',
    ])
    // No other package, and nothing of Node.
    const sources = globSync('dist/**/*.js', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'))
    const specifiers = sources.flatMap((text) =>
      [...text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, name]) => name!),
    )
    expect(specifiers.filter((name) => !name.startsWith('.'))).toEqual([])

    const html = `<title>Rain</title><nav><a href=/>Home</a></nav><article><h1>Rain</h1><p>${'It rained for days, and nobody minded. '.repeat(20)}
    <a href="more">More</a> &notin; &#8364;</p></article><footer>Imprint</footer>`
    const job = `import { extract, extractData, fillSchema } from '/package/dist/index.js'
    export const job = () => {
      const { markdown, title, links } = extract(${JSON.stringify(html)}, { url: 'https://site.test/a/', excludeTags: ['nav > a'] })
      const schema = { type: 'object', properties: { title: { type: 'string' } } }
      return { markdown, title, links, filled: fillSchema(schema, extractData(${JSON.stringify(html)})).value }
    }`
    const program = `${job.replace('/package/dist/index.js', '@harvestman/html')}\nconsole.log(JSON.stringify(job()))`
    const said = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: alone,
      encoding: 'utf8',
    })
    const expected = JSON.parse(said) as { readonly markdown: string }
    expect(expected).toMatchObject({ title: 'Rain', links: ['https://site.test/a/more'], filled: { title: 'Rain' } })
    expect(expected.markdown).toMatch(/^# Rain\n\nIt rained.*\[More\]\(https:\/\/site\.test\/a\/more\) ∉ €$/s)

    expect(await runInBrowser(await plainBrowser(), folder, job)).toEqual([expected, expected])
  },
)
