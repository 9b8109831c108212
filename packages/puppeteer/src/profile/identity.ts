import type { BrowserProfile } from '@harvestman/ports'
import { brandsOf, userAgentOf } from '@harvestman/net/headers'

import type { Protocol } from '../lib/cdp.ts'
import { identityOfProduct, startLanguages, type Product } from '../lib/product.ts'

/** The browser's user agent, with the client hints that must match it. */
export type Identity = Protocol.Emulation.SetUserAgentOverrideRequest

const phone = { model: 'Pixel 7', platform: 'Android', platformVersion: '14.0.0' } as const

export const mobileScreen = { width: 412, height: 915, deviceScaleFactor: 2.625, mobile: true } as const
export const desktopScreen = { width: 1280, height: 800 } as const

const platforms = { Linux: 'Linux x86_64', macOS: 'MacIntel', Windows: 'Win32' } as const

/**
 * Returns the identity of an ordinary desktop or mobile browser of the version that runs. User agent and languages in the
 * profile's headers take precedence; a user agent of theirs gets no client hints.
 */
export function identityOf(running: Product, profile: BrowserProfile): Identity {
  const own = identityOfProduct(running)
  const custom = profile.headers['user-agent']
  const { mobile } = profile
  const acceptLanguage = profile.headers['accept-language'] ?? languagesOf(profile.location?.languages ?? ['en-US'])
  // An override moves the header to another place, so the full browser sends its own languages. The shell cannot.
  const isOwn = running.kind === 'full' && acceptLanguage === startLanguages
  return {
    userAgent: custom ?? userAgentOf(own, mobile),
    ...(acceptLanguage && !isOwn && { acceptLanguage }),
    platform: mobile ? 'Linux armv81' : platforms[own.platform],
    // Client hints of Chrome would contradict a custom user agent.
    ...(custom === undefined && { userAgentMetadata: hints(running, mobile) }),
  }
}

/**
 * Returns the value of `accept-language`. A language without a region comes after the last of its regions, as in a normal
 * Chrome.
 */
function languagesOf(languages: readonly string[]): string | undefined {
  const all = languages.flatMap((tag, index) => {
    const [base = tag] = tag.split('-')
    const comesLater = languages.slice(index + 1).some((later) => later.split('-')[0] === base)
    return base === tag || comesLater ? [tag] : [tag, base]
  })
  return all.length > 0 ? [...new Set(all)].join(',') : undefined
}

function hints(running: Product, mobile: boolean): Protocol.Emulation.UserAgentMetadata {
  const own = identityOfProduct(running)
  const full = /\d+(?:\.\d+){3}/.exec(running.product)?.[0] ?? `${own.version}.0.0.0`
  const shared = { brands: brandsOf(own), fullVersionList: brandsOf(own, full), bitness: '64', wow64: false }
  if (mobile) return { ...shared, ...phone, bitness: '', architecture: '', mobile: true }
  return {
    ...shared,
    platform: own.platform,
    platformVersion: '',
    architecture: /aarch64|arm64/i.test(running.userAgent) ? 'arm' : 'x86',
    model: '',
    mobile: false,
  }
}
