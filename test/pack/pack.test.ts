import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

import { createEngine } from '@harvestman/core'
import { apiKeys, createApi, serve } from '@harvestman/http'
import { startSite } from '@harvestman/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { plainBrowser } from '../plain-browser.ts'
import { runInBrowser } from './in-browser.ts'
import { manifests, packAll, root } from './packing.ts'
import {
  bundle,
  compile,
  compilers,
  installNode,
  installRuntime,
  oldest,
  oldNode,
  otherNodes,
  runtimes,
  typedPrograms,
} from './tools.ts'

const execute = promisify(execFile)
const project = mkdtempSync(join(tmpdir(), 'harvestman-pack-'))
let packed: string

// What a user does: the packed packages in an empty project, built, with nothing of this repository in reach.
beforeAll(async () => {
  const { folder, tarballs } = await packAll()
  packed = folder
  expect(tarballs).toHaveLength(manifests.length)
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  execFileSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs.map((name) => join(packed, name))],
    {
      cwd: project,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
}, 900_000)

const alone = mkdtempSync(join(tmpdir(), 'harvestman-html-'))

afterAll(() => {
  for (const folder of [project, alone]) rmSync(folder, { recursive: true, force: true })
}, 900_000)

const run = (program: string) =>
  execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: project, encoding: 'utf8' })

const entries = manifests.flatMap(({ name, publishConfig }) =>
  Object.keys(publishConfig.exports)
    .filter((entry) => !entry.endsWith('.json'))
    .map((entry) => join(name, entry)),
)

test('every entry of every package can be imported', () => {
  const found = run(`for (const entry of ${JSON.stringify(entries)}) { await import(entry); console.log(entry) }`)
  expect(found.trim().split('\n')).toEqual(entries)
})

const scraping = (from: string) => `${from}
  export async function scrapeTwice(url, allow) {
    for (const inlineBytes of [1e9, 0]) {
      const engine = createEngine({ allowPrivate: [allow], limits: { inlineBytes } })
      const { metadata } = await engine.scrape({ url })
      console.log(metadata.statusCode)
      await engine.close()
    }
  }`
// Tools are installed on the way.
const slow = 600_000
const inPlaceAndInAWorker = '200\n200\n'

/** Runs a program, in a folder of the project or with another Node, against a site that runs in this process. */
async function runAgainstSite(file: string, node = process.execPath): Promise<string> {
  const site = await startSite()
  const allow = `127.0.0.1/32:${new URL(site.url).port}`
  const child = spawn(node, [file, `${site.url}/good/article`, allow], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  for await (const text of child.stdout) said += String(text)
  await site.close()
  return said
}

function write(file: string, text: string): string {
  writeFileSync(join(project, file), text)
  return file
}

const plain = `${scraping("import { createEngine } from '@harvestman/core'")}\nawait scrapeTwice(...process.argv.slice(2))`

test('the packed engine scrapes, in place and in a worker', async () => {
  expect(await runAgainstSite(write('plain.mjs', plain))).toBe(inPlaceAndInAWorker)
})

test('a program of CommonJS may require it', async () => {
  const program = scraping("const { createEngine } = require('@harvestman/core')").replace('export ', '')
  const file = write('required.cjs', `${program}\nscrapeTwice(...process.argv.slice(2))`)
  expect(await runAgainstSite(file)).toBe(inPlaceAndInAWorker)
})

test(
  'a bundle of esbuild that leaves our packages out finds its worker',
  async () => {
    await bundle(project, write('bundled.mjs', plain), 'bundle.mjs')
    expect(readFileSync(join(project, 'bundle.mjs'), 'utf8')).toContain('from "@harvestman/core"')
    expect(await runAgainstSite('bundle.mjs')).toBe(inPlaceAndInAWorker)
  },
  slow,
)

test.each(otherNodes)(
  'it runs on Node $version, as it says',
  async ({ version }) => {
    const node = await installNode(project, version)
    expect(execFileSync(node, ['-v'], { encoding: 'utf8' }).trim()).toBe(`v${version}`)
    expect(await runAgainstSite(write('plain.mjs', plain), node)).toBe(inPlaceAndInAWorker)
  },
  slow,
)

test(
  'an older Node is told which one is needed, in one line',
  async () => {
    const node = await installNode(project, oldNode)
    const told = `Harvestman needs Node ${oldest} or newer, and this is Node ${oldNode}. Install a newer one.`
    const { stderr, status } = spawnSync(node, [join(project, 'node_modules/@harvestman/cli/dist/main.js'), '--help'], {
      encoding: 'utf8',
    })
    expect({ stderr, status }).toEqual({ stderr: `${told}\n`, status: 1 })
    const imported = spawnSync(node, [write('plain.mjs', plain)], { cwd: project, encoding: 'utf8' })
    expect(imported.stderr).toContain(`Error: ${told}`)
  },
  slow,
)

test.each(compilers)(
  'strict programs compile with TypeScript $version, declarations and all',
  async (compiler) => {
    for (const [from, to] of Object.entries(typedPrograms)) copyFileSync(join(root, from), join(project, to))
    write('all.ts', entries.map((entry, index) => `export * as entry${index} from '${entry}'`).join('\n'))
    expect(await compile(project, compiler, [...Object.values(typedPrograms), 'all.ts'])).toBe('')
  },
  slow,
)

test('a kind of job that is written for the packed packages runs', async () => {
  copyFileSync(join(root, 'docs/examples/job-kind/dead-links.ts'), join(project, 'dead-links.ts'))
  const program = `import { createEngine } from '@harvestman/core'
    import { deadLinks, links } from './dead-links.ts'
    const [url, allow] = process.argv.slice(2)
    const engine = createEngine({ allowPrivate: [allow], plugins: [links] })
    const { status, data } = await (await engine.start(deadLinks, { url, limit: 1 })).end()
    console.log(status, typeof data.report)
    await engine.close()`
  expect(await runAgainstSite(write('kind.mjs', program))).toBe('completed string\n')
})

test('the packed command runs', () => {
  // Its first line asks for whatever `node` comes first on the path.
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`
  const help = execFileSync(join(project, 'node_modules/.bin/harvestman'), ['--help'], {
    encoding: 'utf8',
    env: { ...process.env, PATH },
  })
  expect(help).toContain('scrape')
})

test('no tarball carries a test or a source map to a place that is not there', () => {
  const files = globSync('node_modules/@harvestman/*/**/*', { cwd: project })
  expect(files.filter((file) => /\.test\.|\/src\//.test(file))).toEqual([])
})

test('no link of a README leads out of its package', () => {
  const readmes = globSync('node_modules/@harvestman/*/README.md', { cwd: project })
  expect(readmes).toHaveLength(manifests.length)
  for (const readme of readmes) {
    const links = [...readFileSync(join(project, readme), 'utf8').matchAll(/\]\((?!https?:|#)([^)]+)\)/g)]
    const dead = links.map(([, to = '']) => join(dirname(readme), to)).filter((to) => !existsSync(join(project, to)))
    expect(dead).toEqual([])
  }
})

const elsewhere = `import { createClient } from '@harvestman/client'
import { extract } from '@harvestman/html'

const [url, site] = process.argv.slice(2)
const client = createClient({ url, key: 'secret' })
const { markdown, metadata } = await client.scrape({ url: site + '/good/article', formats: ['markdown'] })
const pages = []
const crawl = await client.crawl({ url: site + '/crawl/', limit: 3 })
for await (const document of crawl.documents()) pages.push(document.metadata.url)
const refused = await client.scrape({ url: 'http://10.0.0.1/' }).catch((error) => error.code)
console.log(JSON.stringify([metadata.statusCode, markdown.length > 0, pages.length, refused, extract('<h1>Rain</h1><p>It rained.').markdown]))
`

test.skipIf(process.platform !== 'linux').each(runtimes)(
  'the client and the html package run on $name',
  async (runtime) => {
    const site = await startSite()
    const engine = createEngine({ allowPrivate: [`127.0.0.1/32:${new URL(site.url).port}`] })
    const server = await serve(createApi(engine, { authenticate: apiKeys('secret') }), { port: 0 })
    const [command, ...options] = await installRuntime(project, runtime)
    const { stdout } = await execute(command, [...options, write('elsewhere.mjs', elsewhere), server.url, site.url], {
      cwd: project,
      timeout: 240_000,
    })
    expect(JSON.parse(stdout)).toEqual([200, true, 3, 'URL_BLOCKED', '# Rain\n\nIt rained.'])
    await server.close()
    await engine.close()
    await site.close()
  },
  slow,
)

test(
  'the html package works by itself, in Node, in a page of a browser and in its worker',
  { tags: ['browser'] },
  async () => {
    writeFileSync(join(alone, 'package.json'), '{ "type": "module" }')
    const tarball = readdirSync(packed).find((name) => /^harvestman-html-.*\.tgz$/.test(name))!
    execFileSync(
      'npm',
      ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--offline', join(packed, tarball)],
      {
        cwd: alone,
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
    const folder = join(alone, 'node_modules/@harvestman/html')
    expect(globSync('node_modules/{*,@*/*}/package.json', { cwd: alone })).toEqual([
      'node_modules/@harvestman/html/package.json',
    ])
    // No other package, and nothing of Node.
    const sources = globSync('dist/**/*.js', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'))
    const specifiers = sources.flatMap((text) =>
      [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name]) => name!),
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
