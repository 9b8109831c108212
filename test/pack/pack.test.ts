import { execFileSync, spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { startSite } from '@harvestman/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { findBrowser } from '../../packages/puppeteer/src/find.ts'
import { runInBrowser } from './in-browser.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const project = mkdtempSync(join(tmpdir(), 'harvestman-pack-'))

interface Manifest {
  readonly name: string
  readonly publishConfig: { readonly exports: Readonly<Record<string, unknown>> }
}

const manifests = globSync('packages/*/package.json', { cwd: root }).map(
  (file) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest,
)

// What a user does: the packed packages in an empty project, built, with nothing of this repository in reach.
beforeAll(() => {
  execFileSync(process.execPath, [join(root, 'scripts/build.ts')], { stdio: 'inherit' })
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { packageManager: string }
  execFileSync(
    'npx',
    ['--yes', packageManager, '-r', '--filter', './packages/*', 'pack', '--pack-destination', project],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const tarballs = readdirSync(project).filter((name) => name.endsWith('.tgz'))
  expect(tarballs).toHaveLength(manifests.length)
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  execFileSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs.map((name) => `./${name}`)],
    {
      cwd: project,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
}, 240_000)

const alone = mkdtempSync(join(tmpdir(), 'harvestman-html-'))

afterAll(() => {
  for (const folder of [project, alone]) rmSync(folder, { recursive: true, force: true })
})

const run = (program: string) =>
  execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: project, encoding: 'utf8' })

test('every entry of every package can be imported', () => {
  const entries = manifests.flatMap(({ name, publishConfig }) =>
    Object.keys(publishConfig.exports)
      .filter((entry) => !entry.endsWith('.json'))
      .map((entry) => join(name, entry)),
  )
  const found = run(`for (const entry of ${JSON.stringify(entries)}) { await import(entry); console.log(entry) }`)
  expect(found.trim().split('\n')).toEqual(entries)
})

test('the packed engine scrapes, in place and in a worker', async () => {
  const site = await startSite()
  const allow = `127.0.0.1/32:${new URL(site.url).port}`
  // The site runs in this process, so the child must not block it.
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { createEngine } from '@harvestman/core'
       for (const inlineBytes of [1e9, 0]) {
         await using engine = createEngine({ allowPrivate: ['${allow}'], limits: { inlineBytes } })
         const { metadata } = await engine.scrape({ url: '${site.url}/good/article' })
         console.log(metadata.statusCode)
       }`,
    ],
    { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let said = ''
  for await (const text of child.stdout) said += String(text)
  await site.close()
  expect(said).toBe('200\n200\n')
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

test('the html package works by itself, in Node, in a page of a browser and in its worker', async ({ skip }) => {
  writeFileSync(join(alone, 'package.json'), '{ "type": "module" }')
  const tarball = readdirSync(project).find((name) => /^harvestman-html-.*\.tgz$/.test(name))!
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--offline', join(project, tarball)], {
    cwd: alone,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
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

  const browser = findBrowser({ prefer: 'shell' })
  if (!browser) return skip('There is no browser on this machine.')
  expect(await runInBrowser(browser.executable, folder, job)).toEqual([expected, expected])
})
