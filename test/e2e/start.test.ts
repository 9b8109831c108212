// What a start loads. Time is never asserted; what is loaded decides it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, onTestFinished, test } from 'vitest'

import { modulesOf, modulesOfText } from '../loaded-modules.ts'

const command = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))

/** The packages, files and modules of Node among them that a start must do without. */
const among = (modules: readonly string[], unwanted: RegExp): readonly string[] =>
  modules.filter((url) => unwanted.test(url))
const filesOf = (modules: readonly string[]): readonly string[] => modules.filter((url) => url.startsWith('file:'))

test('to import core loads no HTTP client, nothing that reads pages or runs jobs, and no library that only some pages need', () => {
  const modules = modulesOfText("await import('@harvestman/core')")
  expect(among(modules, /^node:(https?|http2|tls)$/)).toEqual([])
  expect(
    among(
      modules,
      /node_modules\/(undici|linkedom|turndown|tough-cookie|tldts|@exodus\/bytes|chardet|html-encoding-sniffer|re2js|puppeteer-core)\//,
    ),
  ).toEqual([])
  expect(
    among(modules, /\/packages\/html\/src\/(main-content|markdown|data|tokens|construction|readings\/read)/),
  ).toEqual([])
  expect(
    among(
      modules,
      /\/packages\/core\/src\/(jobs\/worker\/consumer|jobs\/run\/run|crawl\/strategy|search\/search|map\/map)\.ts/,
    ),
  ).toEqual([])
  expect(filesOf(modules).length).toBeLessThan(510)
})

test('the command tells its version without the engine, without a schema and without reading the configuration', () => {
  const modules = modulesOf(command, '--version')
  expect(among(modules, /\/packages\/core\/src\/(?!runtime\.ts|lib\/node-version\.ts)/)).toEqual([])
  expect(among(modules, /\/packages\/(?!(core|cli|ports)\/)|node_modules\/zod\//)).toEqual([])
  expect(filesOf(modules).length).toBeLessThan(50)
})

test(
  'the command lists its commands, those of kinds of jobs among them, without the engine',
  { tags: ['long'] },
  () => {
    const modules = modulesOf(command, '--help')
    expect(among(modules, /\/packages\/core\/src\/(engine|jobs|crawl|scrape|loaders)\//)).toEqual([])
    expect(among(modules, /\/packages\/(http|puppeteer|keyv|hosting|live\/src\/(?!options\.ts))/)).toEqual([])
  },
)

test('the command scrapes one page without the features, kinds of jobs and records of a server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const page = join(folder, 'page.html')
  writeFileSync(page, '<p>One page</p>')
  const modules = modulesOf(command, 'scrape', page)
  expect(
    among(
      modules,
      /\/packages\/(answers|hosting|http|keyv|monitors|record|recrawl|scripts|search|session-replay|live\/src\/(?!options\.ts))/,
    ),
  ).toEqual([])
  expect(filesOf(modules).length).toBeLessThan(1_000)
})

test('a browser that has opened no page has loaded nothing that drives one', () => {
  const modules = modulesOfText(`
    const { puppeteerBrowser: browser, puppeteerSessions: sessions } = await import('@harvestman/puppeteer')
    for (const make of [browser(), sessions()]) await make({}).close()`)
  expect(among(modules, /\/packages\/puppeteer\/src\/browser\.ts/)).toHaveLength(1)
  expect(among(modules, /\/packages\/puppeteer\/src\/(make-browser|tab|fence|pool|egress|live\/live)/)).toEqual([])
})

test('an engine loads the technologies that its configuration names, and no server', { tags: ['long'] }, () => {
  const open = (env: object): readonly string[] =>
    modulesOfText(`
      import { openEngine, readConfig } from '@harvestman/node'
      const { close } = await openEngine(readConfig({ env: ${JSON.stringify(env)} }).config)
      await close()`)
  // The entry `hosting` of http loads nothing of the server.
  const technologies =
    /\/packages\/(keyv|redis|postgres|s3|llm|mcp|web)\/|\/packages\/http\/src\/(?!hosting\.ts)|\/packages\/html\/src\/(markdown|construction|main-content)|node_modules\/(ws|ioredis|pg|hono|puppeteer-core|undici|marked)\//
  expect(among(open({ HARVESTMAN_STORE: 'memory:' }), technologies)).toEqual([])
  const named = open({ HARVESTMAN_STORE: 'memory:', HARVESTMAN_LLM_URL: 'http://127.0.0.1:1/v1' })
  expect(new Set(among(named, technologies).map((url) => /packages\/(\w+)/.exec(url)?.[1]))).toEqual(new Set(['llm']))
})
