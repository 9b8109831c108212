import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { readConfig, type Environment } from './config.ts'
import { runChecks, type Checks } from './doctor-list.ts'
import { files, mail, monitorFolder, queue, reachProxies, watchdog } from './doctor-services.ts'

const config = (env: Environment) => readConfig({ env: { HARVESTMAN_STORE: 'memory:', ...env } }).config

/** A file, below which no folder can be made, whoever runs the test. */
function makeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'file'), '')
  return join(folder, 'file', 'below')
}

async function listen(greeting: string): Promise<number> {
  const server = createServer((socket) => void socket.on('error', () => undefined).write(greeting))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

// Nothing listens on port 1.
const away = '127.0.0.1:1'

test('a queue that is away is broken', { timeout: 30_000 }, async () => {
  const found = await queue(config({ HARVESTMAN_STORE: 'redis://127.0.0.1:6379', HARVESTMAN_QUEUE: `redis://${away}` }))
  expect(found).toMatchObject({ state: 'broken', message: expect.stringContaining(away), fix: expect.any(String) })
  expect(await queue(config({}))).toMatchObject({ state: 'good' })
})

test('files on S3 without keys, on an S3 that is down, or in a folder that cannot be written are broken', async () => {
  const s3 = { HARVESTMAN_FILES: 's3://bucket' }
  const keys = { HARVESTMAN_S3_KEY_ID: 'id', HARVESTMAN_S3_SECRET: 'secret' }
  expect(await files(config(s3))).toMatchObject({ state: 'broken', message: expect.stringContaining('need a key') })
  const down = config({ ...s3, ...keys, HARVESTMAN_S3_ENDPOINT: `http://${away}` })
  expect(await files(down)).toMatchObject({ state: 'broken', fix: expect.stringContaining('HARVESTMAN_S3_ENDPOINT') })
  expect(await files(config({ HARVESTMAN_FILES: makeFile() }))).toMatchObject({ state: 'broken' })
})

test('a folder for files of monitors that cannot be written is broken', () => {
  expect(monitorFolder({ monitorFiles: makeFile() })).toMatchObject({ state: 'broken' })
  expect(monitorFolder({ monitorFiles: undefined })).toMatchObject({ state: 'good' })
})

test('a proxy that is dead is named without its password', async () => {
  const alive = `http://127.0.0.1:${await listen('')}`
  expect(await reachProxies({ proxies: [alive], enhancedProxies: [`http://user:password@${away}`] })).toEqual([
    `http://${away} cannot be reached (ECONNREFUSED)`,
  ])
})

const mailOf = async (greeting: string, more: Partial<Parameters<typeof mail>[0]> = {}) =>
  mail({
    mail: `smtp://127.0.0.1:${await listen(greeting)}`,
    mailTo: [],
    peopleMail: [],
    publicUrl: undefined,
    ...more,
  })

test('a server for mails that is dead, or is none, is broken', async () => {
  expect(await mailOf('', { mail: `smtp://${away}` })).toMatchObject({ state: 'broken' })
  expect(await mailOf('HTTP/1.1 400\r\n')).toMatchObject({ state: 'broken' })
  expect(await mailOf('220 mail ready\r\n')).toMatchObject({ state: 'good' })
})

test('mails to anyone who confirms need a URL for the link to confirm', async () => {
  const mailTo = ['@site.example', '*']
  const ready = '220 mail ready\r\n'
  expect(await mailOf(ready, { mailTo })).toMatchObject({
    state: 'missing',
    message: expect.stringContaining('publicUrl'),
    fix: expect.stringContaining('HARVESTMAN_PUBLIC_URL'),
  })
  expect(await mailOf(ready, { mailTo, publicUrl: 'https://watch.example' })).toMatchObject({ state: 'good' })
  expect(await mailOf(ready, { mailTo: ['@site.example'] })).toMatchObject({ state: 'good' })
})

test('mails about pages that need a person need a server for mails and a URL for their links', async () => {
  const peopleMail = ['ann@a.example']
  const ready = '220 mail ready\r\n'
  expect(await mailOf(ready, { mail: undefined, peopleMail })).toMatchObject({
    state: 'missing',
    fix: expect.stringContaining('HARVESTMAN_MAIL'),
  })
  expect(await mailOf(ready, { peopleMail })).toMatchObject({
    state: 'missing',
    fix: expect.stringContaining('HARVESTMAN_PUBLIC_URL'),
  })
  expect(await mailOf(ready, { peopleMail, publicUrl: 'https://scrape.example' })).toMatchObject({ state: 'good' })
})

test('the limit of the watchdog is named', () => {
  expect(watchdog({ stuckTimeout: 30_000 }).message).toContain('30 s')
  expect(watchdog({ stuckTimeout: 0 })).toMatchObject({ state: 'missing', fix: expect.any(String) })
})

test('a check that does not end, and one that throws, are broken, with a remedy', async () => {
  const hanging = { timeout: 20, run: () => new Promise<never>(() => undefined) }
  const throwing = {
    timeout: 1_000,
    run: () => {
      throw new Error('No such thing.')
    },
  }
  // Cast: two are enough.
  const checks = { queue: hanging, mail: throwing } as Partial<Checks> as Checks
  expect(await runChecks(checks, config({}))).toMatchObject([
    { name: 'queue', state: 'broken', message: 'no result within 0.02 s', fix: expect.any(String) },
    { name: 'mail', state: 'broken', message: 'No such thing.', fix: expect.any(String) },
  ])
})
