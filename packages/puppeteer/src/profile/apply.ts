import type { BrowserProfile } from '@harvestman/ports'

import { tell, type Session } from '../lib/cdp.ts'
import { placeIn, timeZoneOf } from './countries.ts'
import { mobileScreen, type Identity } from './identity.ts'

/** Settings for every target of a tab before it runs. Frames and workers must have the same as their page. */
export interface Disguise {
  readonly profile: BrowserProfile
  readonly identity: Identity
  /** URL patterns that are blocked. */
  readonly leavesOut: readonly string[]
}

/**
 * Applies the settings to a page or an out-of-process frame. Must have resolved before any navigation: settings that are still
 * pending do not apply to the new document. Errors are ignored.
 */
export async function disguisePage(session: Session, disguise: Disguise, kind: 'page' | 'frame'): Promise<void> {
  const { profile, leavesOut } = disguise
  await Promise.all([
    tell(session, 'Page.enable'),
    // Bodies are not read here, so the browser need not keep them.
    tell(session, 'Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
    tell(session, 'Network.setBypassServiceWorker', { bypass: true }),
    leavesOut.length > 0 && tell(session, 'Network.setBlockedURLs', { urls: [...leavesOut] }),
    profile.skipTlsVerification && tell(session, 'Security.setIgnoreCertificateErrors', { ignore: true }),
    tell(session, 'Page.setInterceptFileChooserDialog', { enabled: true }),
    disguiseWorker(session, disguise),
    ...place(session, profile),
    ...(kind === 'page' && profile.mobile ? beMobile(session) : []),
  ])
}

/**
 * Applies the user agent and time zone to a worker, which has no window. Errors are ignored, for example if the worker is gone.
 */
export async function disguiseWorker(session: Session, { identity, profile }: Disguise): Promise<void> {
  const zone = profile.location && timeZoneOf(profile.location.country)
  await Promise.all([
    tell(session, 'Emulation.setUserAgentOverride', identity),
    zone && tell(session, 'Emulation.setTimezoneOverride', { timezoneId: zone }),
  ])
}

function place(session: Session, { location }: BrowserProfile): Promise<void>[] {
  if (!location) return []
  const [locale] = location.languages
  const where = placeIn(location.country)
  return [
    ...(locale ? [tell(session, 'Emulation.setLocaleOverride', { locale: locale.replaceAll('-', '_') })] : []),
    ...(where ? [tell(session, 'Emulation.setGeolocationOverride', { ...where, accuracy: 50 })] : []),
  ]
}

function beMobile(session: Session): Promise<void>[] {
  return [
    tell(session, 'Emulation.setDeviceMetricsOverride', {
      ...mobileScreen,
      screenOrientation: { type: 'portraitPrimary', angle: 0 },
    }),
    tell(session, 'Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 }),
  ]
}
