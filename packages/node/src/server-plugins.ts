// The plugins that only servers have.
import { answers } from '@harvestman/data/answers'
import type { Plugin } from '@harvestman/core/plugin'
import { data } from '@harvestman/data'
import { siteApis } from '@harvestman/data/site-apis'
import { hosting } from '@harvestman/http/hosting'
import { live } from '@harvestman/live'
import { people } from '@harvestman/live/people'
import { scripts } from '@harvestman/live/scripts'
import { sessionReplay } from '@harvestman/live/session-replay'
import { monitors, type MonitorsOptions, type SmtpServer } from '@harvestman/monitors'
import { recrawl } from '@harvestman/monitors/recrawl'
import type { Sandbox } from '@harvestman/ports'
import { puppeteerSessions } from '@harvestman/puppeteer'
import { records } from '@harvestman/record'

import type { Config } from './settings.ts'
import { browserOptions } from './engine-parts.ts'
import { loadSandbox } from './load-sandbox.ts'
import { mailToPeople } from './people-mail.ts'

/**
 * Returns the plugins of a server, in addition to the plugins of `openWith`. `write` receives the warnings of the sandbox.
 *
 * @internal
 */
export async function serverPlugins(config: Config, write: (line: string) => void) {
  const browser = browserOptions(config)
  const sandbox = await openSandbox(config, write)
  return [
    answers,
    hosting({ uploadBytes: config.uploadBytes }),
    live({ sessions: browser && puppeteerSessions(browser), sandbox, limits: config.live }),
    people({
      publicUrl: config.publicUrl,
      webhook: config.webhook,
      onNeeded: mailToPeople(config.peopleMail, smtpOf(config)),
    }),
    ...overTime(config),
    ...recorders(config),
  ] as const
}

/** Plugins that revisit pages or store data over time. */
function overTime(config: Config) {
  return [monitors(mailOf(config)), data(), siteApis({ enabled: config.siteApis }), scripts(), recrawl()] as const
}

/** Plugins that record requests and sessions, if enabled. */
function recorders(config: Config): readonly Plugin[] {
  return [records({ enabled: config.records }), ...(config.sessionReplay ? [sessionReplay()] : [])]
}

/** Returns the mail and folder options of monitors. */
function mailOf({ mailTo, publicUrl, monitorFiles: folder, ...config }: Config): MonitorsOptions {
  const mail = smtpOf(config)
  return mail ? { folder, mailTo, publicUrl, mail } : { folder }
}

function smtpOf({ mail, mailFrom }: Pick<Config, 'mail' | 'mailFrom'>): SmtpServer | undefined {
  if (mail === undefined) return undefined
  const { protocol, hostname: host, port, username, password } = new URL(mail)
  const secure = protocol === 'smtps:'
  const user = username === '' ? {} : { user: decodeURIComponent(username), password: decodeURIComponent(password) }
  const from = mailFrom ?? `harvestman@${host}`
  return { host, secure, from, port: port === '' ? (secure ? 465 : 587) : Number(port), ...user }
}

async function openSandbox(
  { sandbox: mode, sandboxBound: bound }: Config,
  write: (line: string) => void,
): Promise<Sandbox | undefined> {
  if (mode === 'off') return undefined
  const { localSandbox } = await loadSandbox()
  return localSandbox({ mode, bound, onWarning: write })
}
