// Checks the services of a configuration by using each once.
import { mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import { join } from 'node:path'
import tls from 'node:tls'

import { createEngine, EngineError } from '@harvestman/core'
import { makeFolder } from '@harvestman/toolbox/make-folder'

import type { Config } from './settings.ts'
import type { Finding } from './finding.ts'
import { openFiles } from './engine-parts.ts'
import { withoutSecrets } from './proxies.ts'
import { isForMany, openQueue, withoutCredentials } from './services.ts'

/**
 * Checks whether tasks can be queued. The finding of a queue that fails is `broken`. Rejects if the queue cannot be opened, for
 * example because its package is not installed.
 */
export async function queue({ queue: named, store }: Pick<Config, 'queue' | 'store'>): Promise<Finding> {
  const name = 'queue'
  const address = named ?? store
  if (address === undefined || !isForMany(address)) return { name, state: 'good', message: 'within the process' }
  const message = withoutCredentials(address)
  const opened = await openQueue(named, store)
  try {
    await opened?.check?.()
    return { name, state: 'good', message }
  } catch (error) {
    return {
      name,
      state: 'broken',
      message: `${message}: ${messageOf(error)}`,
      fix: 'Start it, or set HARVESTMAN_QUEUE.',
    }
  } finally {
    await opened?.close()
  }
}

/** Checks whether files can be stored and read back. Never rejects: the finding of a failure is `broken`. */
export async function files(config: Config): Promise<Finding> {
  const name = 'files'
  if (config.files === undefined) return { name, state: 'good', message: 'in the store' }
  const fix = config.files.startsWith('s3://')
    ? 'Check HARVESTMAN_FILES, HARVESTMAN_S3_ENDPOINT, HARVESTMAN_S3_KEY_ID and HARVESTMAN_S3_SECRET.'
    : 'Set HARVESTMAN_FILES to a writable folder.'
  try {
    const blobs = await openFiles(config)
    const engine = createEngine({ blobs })
    try {
      await engine.checkStore()
    } finally {
      await engine.close()
      await blobs?.close()
    }
    return { name, state: 'good', message: config.files }
  } catch (error) {
    return { name, state: 'broken', message: `${config.files}: ${messageOf(error)}`, fix }
  }
}

/**
 * Returns the proxies that do not accept connections, each as a sentence with the reason; empty if all do. Their URLs must be
 * valid: otherwise rejects with a `TypeError`.
 */
export async function reachProxies({
  proxies,
  enhancedProxies,
}: Pick<Config, 'proxies' | 'enhancedProxies'>): Promise<readonly string[]> {
  const unreachable = await Promise.all(
    [...new Set([...proxies, ...enhancedProxies])].map(async (address) => {
      const { hostname, port, protocol } = new URL(address)
      const problem = await tryConnect({ host: hostname, port: Number(port) || defaultPorts[protocol] || 1080 })
      return problem === undefined ? [] : [`${withoutSecrets(address)} cannot be reached (${problem})`]
    }),
  )
  return unreachable.flat()
}

/**
 * Checks whether the mail server sends its greeting. Sends no mail. Never rejects: the finding of a failure is `broken`, and
 * `missing` if mails cannot have a link that recipients need, or the recipients for pages that need a person get none.
 */
export async function mail({
  mail: address,
  mailTo,
  peopleMail,
  publicUrl,
}: Pick<Config, 'mail' | 'mailTo' | 'peopleMail' | 'publicUrl'>): Promise<Finding> {
  const name = 'mail'
  if (address === undefined && peopleMail.length > 0)
    return { name, state: 'missing', message: 'peopleMail has no mail server', fix: 'Set HARVESTMAN_MAIL.' }
  if (address === undefined) return { name, state: 'good', message: 'none: monitors send no mails' }
  const { hostname, port, protocol } = new URL(address)
  const isSecure = protocol === 'smtps:'
  const target = { host: hostname, port: Number(port) || (isSecure ? 465 : 587), isSecure, greeting: /^220[ -]/ }
  const problem = await tryConnect(target)
  const message = `${hostname}:${target.port}`
  if (problem === undefined && mailTo.includes('*') && publicUrl === undefined) return withoutLinks(message)
  if (problem === undefined && peopleMail.length > 0 && publicUrl === undefined) {
    const fix = 'Set HARVESTMAN_PUBLIC_URL to the URL of this server.'
    return { name, state: 'missing', message: `${message}; peopleMail has no publicUrl for the links`, fix }
  }
  if (problem === undefined) return { name, state: 'good', message }
  const fix = 'Start the server, or correct HARVESTMAN_MAIL.'
  return { name, state: 'broken', message: `${message} cannot be reached (${problem})`, fix }
}

/** Returns the finding for recipients who must confirm, but cannot be sent a link to do so. */
function withoutLinks(server: string): Finding {
  return {
    name: 'mail',
    state: 'missing',
    message: `${server}; mailTo allows anyone who confirms (*), but there is no publicUrl for the link to confirm`,
    fix: 'Set HARVESTMAN_PUBLIC_URL to the URL of this server, or remove * from HARVESTMAN_MAIL_TO.',
  }
}

/**
 * Checks whether the folder for monitor files is writable, and creates it if it is missing. Never throws: the finding is then
 * `broken`.
 */
export function monitorFolder({ monitorFiles: folder }: Pick<Config, 'monitorFiles'>): Finding {
  const name = 'monitors'
  if (folder === undefined) return { name, state: 'good', message: 'no folder: monitors write no files' }
  try {
    makeFolder(folder)
    rmSync(mkdtempSync(join(folder, '.harvestman-')), { recursive: true })
    return { name, state: 'good', message: `files go to ${folder}` }
  } catch {
    const fix = 'Set HARVESTMAN_MONITOR_FILES to a writable folder.'
    return { name, state: 'broken', message: `${folder} cannot be written`, fix }
  }
}

/** Returns the finding of what happens if the main thread is stuck. */
export function watchdog({ stuckTimeout }: Pick<Config, 'stuckTimeout'>): Finding {
  const name = 'watchdog'
  if (stuckTimeout === 0) {
    const fix = 'Set HARVESTMAN_STUCK_TIMEOUT to milliseconds.'
    return { name, state: 'missing', message: 'off: a stuck server or worker is not ended', fix }
  }
  return { name, state: 'good', message: `a server or worker is ended when it is stuck for ${stuckTimeout / 1_000} s` }
}

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }
const connectTimeout = 5_000
const maxGreeting = 1_000

interface Target {
  readonly host: string
  readonly port: number
  readonly isSecure?: boolean
  /** Expected first bytes from the server. */
  readonly greeting?: RegExp
}

/** Connects to a server. Resolves to the problem, or to `undefined` on success. */
function tryConnect({ host, port, isSecure = false, greeting }: Target): Promise<string | undefined> {
  const plain = net.connect({ host: host.replace(/^\[|\]$/g, ''), port, noDelay: true })
  const socket = isSecure ? tls.connect({ socket: plain, servername: net.isIP(host) === 0 ? host : '' }) : plain
  const result = new Promise<string | undefined>((resolve) => {
    socket.setTimeout(connectTimeout, () => resolve(`no response within ${connectTimeout / 1_000} s`))
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    socket.once('close', () => resolve('the connection was closed'))
    plain.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    if (greeting === undefined)
      return void socket.once(isSecure ? 'secureConnect' : 'connect', () => resolve(undefined))
    socket.setEncoding('latin1').once('data', (text: string) => {
      const first = text.slice(0, maxGreeting)
      resolve(greeting.test(first) ? undefined : 'the response is not that of a mail server')
    })
  })
  return result.finally(() => (socket.destroy(), plain.destroy()))
}

function messageOf(error: unknown): string {
  return EngineError.is(error) ? error.message : 'It cannot be used.'
}
