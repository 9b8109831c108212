// @module-tag long
// The packed packages with tools of other people, which are installed first: older and newer Node, compilers, a bundler, runtimes.
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { createEngine } from '@harvestman/core'
import { apiKeys, createApi, serve } from '@harvestman/http'
import { startSite } from '@harvestman/testing'
import { beforeAll, expect, test } from 'vitest'

import { inPlaceAndInAWorker, openProject, plain, slow, type Project } from './project.ts'
import { askWorker } from './workerd.ts'
import {
  bundle,
  bundleIntoOne,
  bundleWhole,
  compilers,
  installNode,
  installRuntime,
  installWorkerd,
  oldest,
  oldNode,
  otherNodes,
  runtimes,
} from './tools.ts'

const execute = promisify(execFile)
let project: Project

beforeAll(async () => {
  project = await openProject()
}, 900_000)

test.each(otherNodes)(
  'it runs on Node $version, as it says',
  async ({ version }) => {
    const node = await installNode(project.folder, version)
    expect(execFileSync(node, ['-v'], { encoding: 'utf8' }).trim()).toBe(`v${version}`)
    expect(await project.runAgainstSite(project.write('plain.mjs', plain), node)).toBe(inPlaceAndInAWorker)
  },
  slow,
)

test(
  'an older Node is told which one is needed, in one line',
  async () => {
    const node = await installNode(project.folder, oldNode)
    const told = `Harvestman needs Node ${oldest} or newer, and this is Node ${oldNode}. Install a newer one.`
    const { stderr, status } = spawnSync(
      node,
      [join(project.installed, 'node_modules/@harvestman/cli/dist/main.js'), '--help'],
      {
        encoding: 'utf8',
      },
    )
    expect({ stderr, status }).toEqual({ stderr: `${told}\n`, status: 1 })
    const imported = spawnSync(node, [project.write('plain.mjs', plain)], { cwd: project.folder, encoding: 'utf8' })
    expect(imported.stderr).toContain(`Error: ${told}`)
  },
  slow,
)

test(
  'a bundle of esbuild that leaves our packages out finds its worker',
  async () => {
    await bundle(project.folder, project.write('bundled.mjs', plain), 'bundle.mjs')
    expect(readFileSync(join(project.folder, 'bundle.mjs'), 'utf8')).toContain('from "@harvestman/core"')
    expect(await project.runAgainstSite('bundle.mjs')).toBe(inPlaceAndInAWorker)
  },
  slow,
)

test(
  'a bundle of esbuild that has our packages in its one file fails at its start, and names the remedy',
  async () => {
    await bundleIntoOne(project.folder, project.write('bundled.mjs', plain), 'one.mjs')
    const { stderr, status } = spawnSync(process.execPath, ['one.mjs', 'http://127.0.0.1:1/', '127.0.0.0/8'], {
      cwd: project.folder,
      encoding: 'utf8',
    })
    expect(stderr).toMatch(/The file \S+worker\.js is missing: [^]*Keep @harvestman\/\* external when you bundle/)
    expect(status).toBe(1)
  },
  slow,
)

test.each(compilers)(
  'strict programs compile with TypeScript $version, declarations and all',
  async (compiler) => {
    expect(await project.compileAll(compiler)).toBe('')
  },
  slow,
)

const visit = `const client = createClient({ url, key: 'secret' })
const { markdown, metadata } = await client.scrape({ url: site + '/good/article', formats: ['markdown'] })
const pages = []
const crawl = await client.crawl({ url: site + '/crawl/', limit: 3 })
for await (const document of crawl.documents()) pages.push(document.metadata.url)
const refused = await client.scrape({ url: 'http://10.0.0.1/' }).catch((error) => error.code)
const said = [metadata.statusCode, markdown.length > 0, pages.length, refused, extract('<h1>Rain</h1><p>It rained.').markdown]
`
const visited = [200, true, 3, 'URL_BLOCKED', '# Rain\n\nIt rained.']

const imports = `import { createClient } from '@harvestman/client'
import { extract } from '@harvestman/html'
`
const elsewhere = `${imports}
const [url, site] = process.argv.slice(2)
${visit}
console.log(JSON.stringify(said))
`
const worker = `${imports}
export default {
  async fetch(request) {
    const [url, site] = new URL(request.url).searchParams.getAll('at')
    ${visit}
    return Response.json(said)
  },
}
`

/** A server, and a site that it may read. */
async function startServer() {
  const site = await startSite()
  const engine = createEngine({ allowPrivate: [`127.0.0.1/32:${new URL(site.url).port}`] })
  const server = await serve(createApi(engine, { authenticate: apiKeys('secret') }), { port: 0 })
  const close = async (): Promise<void> => {
    for (const one of [server, engine, site]) await one.close()
  }
  return { url: server.url, site: site.url, [Symbol.asyncDispose]: close }
}

test.skipIf(process.platform !== 'linux').each(runtimes)(
  'the client and the html package run on $name',
  async (runtime) => {
    await using server = await startServer()
    const [command, ...options] = await installRuntime(project.folder, runtime)
    const file = project.write('elsewhere.mjs', elsewhere)
    const { stdout } = await execute(command, [...options, file, server.url, server.site], {
      cwd: project.folder,
      timeout: 240_000,
    })
    expect(JSON.parse(stdout)).toEqual(visited)
  },
  slow,
)

test(
  'the client and the html package run on workerd, as in a Cloudflare Worker',
  async ({ skip }) => {
    const workerd = await installWorkerd(project.folder).catch(() => undefined)
    skip(workerd === undefined, 'workerd cannot be installed on this machine.')
    await using server = await startServer()
    await bundleWhole(project.folder, project.write('worker.mjs', worker), 'worker.js')
    const query = new URLSearchParams([
      ['at', server.url],
      ['at', server.site],
    ])
    const text = await askWorker(workerd!, join(project.folder, 'worker.js'), query.toString())
    expect(JSON.parse(text)).toEqual(visited)
  },
  slow,
)
