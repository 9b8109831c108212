// Runs the checks of `doctor`, each with a deadline, and lists which check covers each setting.
import { setTimeout } from 'node:timers/promises'

import { errorMessage } from '@harvestman/toolbox/error-message'
import type { Config } from './settings.ts'
import type { Finding } from './finding.ts'

/** A check of a part of the configuration. */
export interface Check {
  /** Milliseconds until the check counts as failed. */
  readonly timeout: number
  readonly run: (config: Config) => Finding | Promise<Finding>
}

/** Settings without an external dependency: validating their values is enough. */
type PlainSetting =
  | 'adminKey'
  | 'credits'
  | 'port'
  | 'host'
  | 'grace'
  | 'uploadBytes'
  | 'storeWait'
  | 'filesBytes'
  | 'ocr'
  | 'allowPrivate'
  | 'userAgent'
  | 'headers'
  | 'robots'
  | 'uses'
  | 'licensedHosts'
  | 'log'
  | 'logFormat'
  | 'maxAge'
  | 'timeout'
  | 'limits'
  | 'keep'
  | 'live'
  | 'webhookSecrets'
  | 'trustedProxies'

/** The check of each other setting. A new setting must be added here or to `PlainSetting`. */
export const checkOf = {
  plugins: 'scraping',
  webhook: 'scraping',
  store: 'store',
  secretKey: 'store',
  queue: 'queue',
  files: 'files',
  s3Endpoint: 'files',
  s3Region: 'files',
  s3KeyId: 'files',
  s3Secret: 'files',
  s3Public: 'files',
  browser: 'browser',
  reachableAt: 'browser',
  sandbox: 'code',
  sandboxBound: 'code',
  proxies: 'proxies',
  enhancedProxies: 'proxies',
  proxyBudget: 'proxies',
  enhancedProxyBudget: 'proxies',
  proxyUsername: 'proxies',
  proxyPassword: 'proxies',
  peerUrl: 'peers',
  peerSecret: 'peers',
  mail: 'mail',
  mailFrom: 'mail',
  mailTo: 'mail',
  publicUrl: 'mail',
  peopleMail: 'mail',
  monitorFiles: 'monitors',
  llmUrl: 'model',
  llmKey: 'model',
  llmModel: 'model',
  llmContext: 'model',
  ollamaUrl: 'model',
  embeddingModel: 'search',
  embeddingUrl: 'search',
  embeddingKey: 'search',
  searxngEndpoint: 'search',
  searxngEngines: 'search',
  searxngCategories: 'search',
  searchIndex: 'search',
  stuckTimeout: 'watchdog',
  botKeys: 'bot',
  botAgent: 'bot',
  apiKeys: 'keys',
  records: 'scraping',
  siteApis: 'scraping',
  sessionReplay: 'scraping',
  httpIdentity: 'scraping',
} as const satisfies Readonly<Record<Exclude<keyof Config, PlainSetting>, string>>

/** A check for each name in `checkOf`. */
export type Checks = Readonly<Record<(typeof checkOf)[keyof typeof checkOf], Check>>

/**
 * Runs the checks sequentially, since some start a browser or a sandbox. A check that throws or misses its deadline gives a
 * finding with the state `broken`. Never rejects.
 */
export async function runChecks(checks: Checks, config: Config): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const [name, check] of Object.entries(checks)) findings.push(await runCheck(name, check, config))
  return findings
}

async function runCheck(name: string, { timeout, run }: Check, config: Config): Promise<Finding> {
  const isDone = new AbortController()
  const late: Finding = {
    ...{ name, state: 'broken', message: `no result within ${timeout / 1_000} s` },
    fix: 'Check that its services run and can be reached.',
  }
  const deadline = setTimeout(timeout, late, { ref: false, signal: isDone.signal })
  // It rejects when the check finishes first.
  deadline.catch(() => undefined)
  try {
    return await Promise.race([run(config), deadline])
  } catch (error) {
    const message = errorMessage(error)
    return { name, state: 'broken', message, fix: 'Correct the setting, or report this as a bug.' }
  } finally {
    isDone.abort()
  }
}
