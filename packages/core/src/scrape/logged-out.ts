// The option profile: a page that asks to log in is an error, before any format is made.
import { EngineError } from '@harvestman/ports'
import type { LoggedInMarker } from '../plugin/profiles.ts'
import { hasLoginPath } from './block-signals.ts'
import type { ScrapeContext } from './context.ts'
import type { ReadPage } from './made.ts'
import { escalate, type Plan } from './plan.ts'
import { saveProfile } from './profile.ts'
import { loginState } from './readings.ts'

/** Value of the reading `login`. */
interface LoginState {
  /** The visible form to log in: the main part of the page, a smaller part, or only a field for the user name. */
  readonly form: 'main' | 'part' | 'name' | 'none'
  /** A form without which the site does not show its pages, if the page mainly consists of it. */
  readonly prompt?: 'second_factor' | 'confirmation'
  /** Whether the page has the marker. Absent without a marker. */
  readonly hasMarker?: boolean
}

/** A page of a profile. `login` is absent for a file. */
export interface LoginFacts {
  readonly requested: URL
  readonly url: URL
  readonly status: number
  readonly login: LoginState | undefined
  readonly marker: LoggedInMarker | undefined
  /** True if the profile has cookies or storage of the requested host. */
  readonly knowsHost: boolean
}

/** Reads the page again, with another plan, and remembers the loader that the host needs. */
export interface LoginTools {
  again(plan: Plan): Promise<ReadPage>
  remember(what: 'sawPage' | 'sawShell'): Promise<void>
}

/**
 * Returns the page of a profile that is logged in, from the browser if HTTP alone shows a form to log in, and saves the changed
 * cookies and storage. Rejects with `logged_out` if the profile is not logged in, and with `bad_response` if the page is a
 * captcha or a form to confirm something, and the request has the option `person`.
 */
export async function readLoggedIn(first: ReadPage, context: ScrapeContext, tools: LoginTools): Promise<ReadPage> {
  const { plan, steps } = context
  const reason = reasonOf(first, context)
  const { page, isRaised } = first.visit
  if (page.ranScripts) return checked(first, reason, context)
  const next = reason === undefined ? undefined : escalate(plan, page.proxyUsed)
  if (next && reason !== undefined) {
    steps?.note({ step: 'login', outcome: 'browser next', reason })
    const second = await tools.again(next)
    const read = await checked(second, reasonOf(second, context), context)
    if (!read.visit.page.block) await tools.remember('sawShell')
    return read
  }
  const read = await checked(first, reason, context)
  if (page.status < 400 && !isRaised && !page.block) await tools.remember('sawPage')
  return read
}

/** Rejects if there is a reason why the profile of the page is logged out, or if the page needs a person. */
async function checked(read: ReadPage, reason: string | undefined, context: ScrapeContext): Promise<ReadPage> {
  const { plan, steps } = context
  const { page, profile } = read.visit
  const login = loginOf(read)
  if (plan.request.person && page.block?.signal === 'captcha')
    throw new EngineError('bad_response', page.block.reason, { details: { signal: 'captcha', url: page.url } })
  if (plan.request.person && login?.prompt === 'confirmation' && login.hasMarker !== true)
    throw new EngineError(
      'bad_response',
      `${page.url} shows only a form to confirm the age or the terms of the site.`,
      {
        details: { signal: 'confirmation', url: page.url },
      },
    )
  if (reason === undefined) {
    const why = login?.hasMarker ? `The page has ${describe(profile?.inUse.marker)}.` : undefined
    steps?.note({ step: 'login', outcome: 'not logged out', ...(why !== undefined && { reason: why }) })
    return saveProfile(read, login?.hasMarker === true, context)
  }
  steps?.note({ step: 'login', outcome: 'logged out', reason })
  const name = profile?.inUse.name ?? ''
  throw new EngineError(
    'logged_out',
    `The profile "${name}" is logged out. ${reason} Log in again: with a live browser, or with actions, and the same profile.`,
    { details: { profile: name, url: page.url, reason, ...(isFactor(login) && { signal: 'second_factor' }) } },
  )
}

/** Returns whether a page requests a second factor. */
function isFactor(login: LoginState | undefined): boolean {
  return login?.prompt === 'second_factor'
}

function loginOf({ content }: ReadPage): LoginState | undefined {
  // Cast: the value of this reading.
  return content.values[loginState.field] as LoginState | undefined
}

function reasonOf(read: ReadPage, { plan }: ScrapeContext): string | undefined {
  const { page, profile } = read.visit
  if (!profile) return undefined
  const { marker, knowsHost } = profile.inUse
  const { status } = page
  return whyLoggedOut({ requested: plan.url, url: new URL(page.url), status, login: loginOf(read), marker, knowsHost })
}

/**
 * Returns why the profile of a page is logged out, or `undefined` if it is not, as far as the page shows. A marker decides
 * alone. Without one, a requested form to log in is an ordinary page, and so is a page with a small form next to its content.
 */
export function whyLoggedOut({ requested, url, status, login, marker, knowsHost }: LoginFacts): string | undefined {
  const isRefused = status === 401 || status === 403
  if (!login || (status >= 400 && !isRefused)) return undefined
  if (login.hasMarker !== undefined)
    return login.hasMarker ? undefined : `${url.href} does not have ${describe(marker)}.`
  const form = isFactor(login) ? 'main' : login.form
  if (form === 'none' || isLoginUrl(requested)) return undefined
  const what = isFactor(login) ? 'a form for a second factor' : 'a form to log in'
  if (isRefused && form !== 'name') return `${url.href} responded with ${status} and ${what}.`
  const isMoved = isElsewhere(requested, url)
  // A host such as id.example.com may also be that of a language or country.
  if (isMoved && (form === 'main' || hasLoginPath(url) || (form === 'name' && loginHost.test(url.hostname))))
    return `${requested.href} redirected to ${url.href}, which has ${what}.`
  return knowsHost && form === 'main' ? `${url.href} shows ${what}.` : undefined
}

function describe({ selector, text }: LoggedInMarker = {}): string {
  const parts = [
    ...(selector === undefined ? [] : [`an element ${selector}`]),
    ...(text === undefined ? [] : [`the text ${JSON.stringify(text)}`]),
  ]
  return parts.join(' and ')
}

const loginHost = /^(?:log-?in|sign-?in|auth|sso|accounts?|id|idp|identity|passport)\./i

/** Returns whether the path or the host of a URL is that of a page to log in. */
function isLoginUrl(url: URL): boolean {
  return loginHost.test(url.hostname) || hasLoginPath(url)
}

/** Returns whether a URL is another page: not only another scheme, `www.` or a slash at the end. */
function isElsewhere(one: URL, other: URL): boolean {
  const pageOf = ({ host, pathname }: URL): string => `${host.replace(/^www\./, '')}${pathname.replace(/\/+$/, '')}`
  return pageOf(one) !== pageOf(other)
}
