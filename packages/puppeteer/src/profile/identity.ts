import type { BrowserProfile } from '@harvestman/ports'

import type { Protocol } from '../lib/cdp.ts'

/** The browser's user agent, with the client hints that must match it. */
export type Identity = Protocol.Emulation.SetUserAgentOverrideRequest

const phone = { model: 'Pixel 7', platform: 'Android', platformVersion: '14.0.0' } as const

export const mobileScreen = { width: 412, height: 915, deviceScaleFactor: 2.625, mobile: true } as const
export const desktopScreen = { width: 1280, height: 800 } as const

/**
 * Returns the identity of an ordinary desktop or mobile Chrome of the version in `ownUserAgent`. User agent and languages in
 * the profile's headers take precedence; a user agent of theirs gets no client hints.
 */
export function identityOf(ownUserAgent: string, profile: BrowserProfile): Identity {
  const version = /Chrome\/(\d+)/.exec(ownUserAgent)?.[1] ?? '0'
  const custom = profile.headers['user-agent']
  const { mobile } = profile
  const acceptLanguage = profile.headers['accept-language'] ?? languagesOf(profile.location?.languages)
  return {
    userAgent: custom ?? (mobile ? phoneAgent(version) : reduced(ownUserAgent, version)),
    ...(acceptLanguage && { acceptLanguage }),
    platform: mobile ? 'Linux armv81' : platformOf(ownUserAgent),
    // Client hints of Chrome would contradict a custom user agent.
    ...(custom === undefined && { userAgentMetadata: hints(ownUserAgent, version, mobile) }),
  }
}

/**
 * Returns the value of `accept-language`. A language without a region comes after the last of its regions, as in a normal
 * Chrome.
 */
function languagesOf(languages: readonly string[] = []): string | undefined {
  const all = languages.flatMap((tag, index) => {
    const [base = tag] = tag.split('-')
    const comesLater = languages.slice(index + 1).some((later) => later.split('-')[0] === base)
    return base === tag || comesLater ? [tag] : [tag, base]
  })
  return all.length > 0 ? [...new Set(all)].join(',') : undefined
}

function phoneAgent(version: string): string {
  return `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Mobile Safari/537.36`
}

/** Returns the user agent as Chrome reduces it: only the major version, and without the mark of headless browsers. */
function reduced(own: string, version: string): string {
  return own.replace(/HeadlessChrome|Chromium/, 'Chrome').replace(/Chrome\/[\d.]+/, `Chrome/${version}.0.0.0`)
}

function platformOf(own: string): string {
  if (own.includes('Windows')) return 'Win32'
  return own.includes('Macintosh') ? 'MacIntel' : 'Linux x86_64'
}

function hints(own: string, version: string, mobile: boolean): Protocol.Emulation.UserAgentMetadata {
  const brands = (full: boolean): Protocol.Emulation.UserAgentBrandVersion[] => {
    const tail = full ? '.0.0.0' : ''
    return [
      { brand: 'Chromium', version: `${version}${tail}` },
      { brand: 'Google Chrome', version: `${version}${tail}` },
      { brand: 'Not/A)Brand', version: `24${tail}` },
    ]
  }
  const shared = { brands: brands(false), fullVersionList: brands(true), bitness: '64', wow64: false }
  if (mobile) return { ...shared, ...phone, bitness: '', architecture: '', mobile: true }
  return {
    ...shared,
    platform: own.includes('Windows') ? 'Windows' : own.includes('Macintosh') ? 'macOS' : 'Linux',
    platformVersion: '',
    architecture: /aarch64|arm64/i.test(own) ? 'arm' : 'x86',
    model: '',
    mobile: false,
  }
}
