import { statfsSync } from 'node:fs'

import { startLanguages } from '../lib/product.ts'

/** A flag of Chromium, and the problem without it. */
interface Flag {
  readonly flag: string
  readonly because: string
}

// Features that would connect on their own or keep state. They must be in one list, because of several flags of this kind only
// the last counts.
const disabledFeatures: readonly Flag[] = [
  { flag: 'AcceptCHFrame', because: 'restarts navigations, and the first answer would be lost' },
  { flag: 'AutofillServerCommunication', because: 'asks a server about forms' },
  { flag: 'BackForwardCache', because: 'keeps pages alive that were left' },
  { flag: 'CertificateTransparencyComponentUpdater', because: 'downloads in the background' },
  { flag: 'DestroyProfileOnBrowserClose', because: 'races with our own removal of the folder' },
  { flag: 'DialMediaRouteProvider', because: 'looks for televisions on the local network, by multicast' },
  { flag: 'GlobalMediaControls', because: 'starts a media service that is not needed' },
  { flag: 'HttpsUpgrades', because: 'visits another address than the one that was asked for' },
  { flag: 'HttpsFirstBalancedModeAutoEnable', because: 'visits another address than the one that was asked for' },
  { flag: 'InterestFeedContentSuggestions', because: 'asks a server for news' },
  {
    flag: 'KeepAliveInBrowserMigration',
    because: 'sends what a page counts by way of the browser, also after the page is gone',
  },
  { flag: 'LensOverlay', because: 'asks a server about pictures' },
  { flag: 'MediaRouter', because: 'looks for televisions on the local network, by multicast' },
  { flag: 'NetworkPrediction', because: 'connects to hosts before a page asks for them' },
  { flag: 'OptimizationHints', because: 'asks a server about every host' },
  { flag: 'PaintHolding', because: 'shows the page before last on a screenshot' },
  { flag: 'Prerender2', because: 'runs pages that were not opened, in targets without an owner' },
  { flag: 'PrivateAggregationApi', because: 'reports to advertisers' },
  {
    flag: 'RenderDocument',
    because: 'makes all that draws anew for each page of a site, a sixth of what such a page costs',
  },
  { flag: 'SpareRendererForSitePerProcess', because: 'starts processes ahead that the next context may not use' },
  { flag: 'SpeculativeServiceWorkerStartup', because: 'starts workers before the page that needs them' },
  { flag: 'Translate', because: 'asks a server for the language of the page' },
]

const screenSize = '1920x1080'

const always: readonly Flag[] = [
  { flag: '--remote-debugging-pipe', because: 'a port could be used by every program of this machine' },
  { flag: '--no-first-run', because: 'opens pages of its own' },
  { flag: '--no-default-browser-check', because: 'asks questions that are never answered' },
  { flag: '--no-service-autorun', because: 'stays behind when it is closed' },
  { flag: '--no-pings', because: 'tells servers which links were clicked' },
  { flag: '--no-startup-window', because: 'opens a page without an owner' },
  { flag: '--disable-background-networking', because: 'updates, lists and reports go out behind our back' },
  { flag: '--disable-component-update', because: 'downloads parts of itself' },
  { flag: '--disable-client-side-phishing-detection', because: 'asks a server about the page' },
  { flag: '--disable-domain-reliability', because: 'reports failed connections to a server' },
  { flag: '--disable-sync', because: 'connects to an account' },
  { flag: '--disable-default-apps', because: 'installs programs that connect' },
  { flag: '--disable-extensions', because: 'what is installed on this machine is not ours' },
  { flag: '--disable-component-extensions-with-background-pages', because: 'they connect on their own' },
  { flag: '--metrics-recording-only', because: 'reports how it is used' },
  { flag: '--disable-breakpad', because: 'crash reports are written to disk and sent' },
  { flag: '--disable-crash-reporter', because: 'starts a program that outlives the browser' },
  { flag: '--disable-search-engine-choice-screen', because: 'opens a page of its own' },
  { flag: '--disable-quic', because: 'goes past the proxy, by UDP' },
  { flag: '--dns-prefetch-disable', because: 'asks name servers itself, past the guard' },
  { flag: '--force-webrtc-ip-handling-policy=disable_non_proxied_udp', because: 'goes past the proxy, by UDP' },
  { flag: '--proxy-bypass-list=<-loopback>', because: 'goes past the proxy to this machine and to 169.254/16' },
  { flag: '--disable-backgrounding-occluded-windows', because: 'pages that are not in front would not be drawn' },
  { flag: '--disable-renderer-backgrounding', because: 'pages that are not in front would be slow' },
  { flag: '--disable-hang-monitor', because: 'asks whether to wait for a page; we decide that' },
  { flag: '--disable-popup-blocking', because: 'popups are counted and closed by us' },
  { flag: '--disable-prompt-on-repost', because: 'asks questions that are never answered' },
  { flag: '--disable-ipc-flooding-protection', because: 'many navigations in one page would stall' },
  { flag: '--disable-smooth-scrolling', because: 'a scroll would not have ended when it is done' },
  { flag: '--password-store=basic', because: 'asks for the key ring of the desktop' },
  { flag: '--use-mock-keychain', because: 'asks for the key ring of the desktop' },
  { flag: '--mute-audio', because: 'makes noise' },
  { flag: '--hide-scrollbars', because: 'are seen on screenshots' },
  { flag: `--screen-info={${screenSize}}`, because: 'the screen would be smaller than a window' },
  { flag: '--force-color-profile=srgb', because: 'screenshots would differ from machine to machine' },
  { flag: '--deny-permission-prompts', because: 'asks questions that are never answered' },
  { flag: '--autoplay-policy=user-gesture-required', because: 'films that are not watched are loaded' },
  { flag: '--js-flags=--max-old-space-size=1024', because: 'one page could take all memory of the machine' },
  {
    flag: '--enable-features=NetworkServiceInProcess2',
    because: 'every request and answer would go through one more process',
  },
  { flag: `--disable-features=${disabledFeatures.map(({ flag }) => flag).join(',')}`, because: 'see each one' },
]

// Declares a mouse. Without one, pages would show their menus for touch screens.
const mouse = ['primaryHoverType=2', 'availableHoverTypes=2', 'primaryPointerType=4', 'availablePointerTypes=4']

// Images are not requested, and unlike with blocked requests, the page receives no error.
const noPictures = ['imagesEnabled=false']

// Nobody sees pages without images, so they need not be painted. Without memory for tiles, Chromium paints none; frames, animations,
// observers and canvases work as usual, but screenshots show at most areas of one colour.
const unpainted = '--force-gpu-mem-available-mb=0'

const enoughSharedMemory = 512 * 1024 * 1024

function hasSharedMemory(): boolean {
  if (process.platform !== 'linux') return true
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize >= enoughSharedMemory
  } catch {
    return false
  }
}

export interface FlagChoices {
  readonly kind: 'shell' | 'full'
  readonly folder: string
  readonly proxy: string
  readonly sandbox: boolean
  readonly pictures: boolean
  /** Whether timers of hidden pages are throttled. */
  readonly hiddenWait: boolean
}

/** Returns the command-line arguments of a browser that can reach the web only through our proxy. */
export function flagsFor({ kind, folder, proxy, sandbox, pictures, hiddenWait }: FlagChoices): readonly string[] {
  return [
    // The shell writes the consoles of pages to its output, and blocks if that is not read in time.
    ...(kind === 'shell'
      ? ['--headless', '--enable-logging=none']
      : ['--headless=new', `--accept-lang=${startLanguages}`]),
    `--user-data-dir=${folder}`,
    `--proxy-server=${proxy}`,
    ...always.map(({ flag }) => flag),
    // Otherwise, scrapes in background tabs would be slow.
    ...(hiddenWait ? [] : ['--disable-background-timer-throttling']),
    // Containers have 64 MB of shared memory by default, and pages crash when it is full. Files are slower, so they are only
    // used then.
    ...(hasSharedMemory() ? [] : ['--disable-dev-shm-usage']),
    ...(sandbox ? [] : ['--no-sandbox']),
    `--blink-settings=${[...mouse, ...(pictures ? [] : noPictures)].join(',')}`,
    ...(pictures ? [] : [unpainted]),
  ]
}
