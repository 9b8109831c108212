import { fingerprint, isGrease } from '../../../packages/net/test/wire/client-hello.ts'
import {
  lookAtClients,
  openInBrowser,
  openLikePerson,
  openLive,
  openOverHttp,
  openWithIdentity,
  type Seen,
} from './clients.ts'

/** The clients that are compared, and the one that each must look like. */
export const clients = {
  'HTTP loader': { open: openOverHttp, runsScripts: false, like: 'Chromium' },
  'HTTP with identity': { open: openWithIdentity, runsScripts: false, like: 'Chromium' },
  'browser loader': { open: openInBrowser('shell'), like: 'headless shell' },
  'browser loader, full': { open: openInBrowser('full'), like: 'Chromium' },
  'live session': { open: openLive(), like: 'headless shell' },
  'empty live session': { open: openLive({ hasLocation: false }), like: 'headless shell' },
  Chromium: { open: openLikePerson('full'), like: undefined },
  'headless shell': { open: openLikePerson('shell'), like: undefined },
} as const

export type Client = keyof typeof clients
export type Signals = Readonly<Record<string, string>>

/** Signals that differ on purpose. */
interface Explained {
  readonly signals: readonly string[]
  readonly clients: readonly Client[]
  readonly because: string
}

const scripted = ['browser loader', 'browser loader, full', 'live session', 'empty live session'] as const
const withLocation = ['browser loader', 'browser loader, full', 'live session'] as const
const shells = ['browser loader', 'live session', 'empty live session'] as const

/** All differences from the installed browser as a person starts it without a window. */
export const explained: readonly Explained[] = [
  {
    signals: ['TLS', 'TLS GREASE', 'TLS groups', 'TLS ALPN', 'HTTP version', 'HTTP/2', 'header priority'],
    clients: ['HTTP loader'],
    because: 'The default fetcher uses the TLS of Node, over HTTP/1.1.',
  },
  {
    signals: ['TLS'],
    clients: ['HTTP with identity'],
    because:
      'Chromium with a window sends the extension for trust anchors (51764). The headless shell does not either.',
  },
  {
    signals: ['TLS GREASE'],
    clients: ['HTTP with identity'],
    because: 'Impit sends reserved values as cipher and group, but not as extension, key share and version.',
  },
  {
    signals: ['HTTP/2'],
    clients: ['HTTP with identity'],
    because: 'Impit sends a frame size and no header table size, and no priority in the HEADERS frame.',
  },
  {
    signals: ['header user-agent'],
    clients: ['HTTP loader', 'HTTP with identity', ...scripted],
    because: 'A browser with a window does not say Headless, nor the minor version.',
  },
  {
    signals: ['userAgent', 'appVersion'],
    clients: scripted,
    because: 'A browser with a window does not say Headless, nor the minor version.',
  },
  {
    signals: ['header sec-ch-ua', 'brands', 'highEntropy'],
    clients: shells,
    because: 'The shell adds the brand HeadlessChrome, which no browser with a window has.',
  },
  {
    signals: ['header accept-language', 'languages', 'header order'],
    clients: shells,
    because: 'The shell sends no languages by itself. Those of a request come before Accept.',
  },
  {
    signals: ['timeZone', 'permissions'],
    clients: withLocation,
    because: 'A request has a location: its time zone is that of the page, and pages may read it.',
  },
  {
    signals: ['screen', 'availableScreen', 'outerSize', 'innerSize'],
    clients: scripted,
    because: 'Without a window, Chromium has a screen of 800 × 600. Ours is 1920 × 1080, with a window of 1280 × 800.',
  },
  {
    signals: ['scrollBar'],
    clients: scripted,
    because: 'Scroll bars are hidden, as on macOS, because screenshots would show them.',
  },
  {
    signals: ['pointer'],
    clients: scripted,
    because: 'Without a window, Chromium has no mouse. Pages would show menus for touch screens.',
  },
  {
    signals: ['worker', 'frame'],
    clients: scripted,
    because: 'These repeat the user agent, brands, languages, time zone and screen above.',
  },
]

/** Signals that all loaders of ours share, whichever kind of browser runs. */
export const shared: readonly string[] = [
  'header user-agent',
  'header sec-ch-ua',
  'header sec-ch-ua-mobile',
  'header sec-ch-ua-platform',
  'header accept',
  'header accept-encoding',
  'header accept-language',
  'userAgent',
  'brands',
  'highEntropy',
  'languages',
  'locale',
  'platform',
  'screen',
  'worker',
]

const comparedHeaders = [
  'user-agent',
  'sec-ch-ua',
  'sec-ch-ua-mobile',
  'sec-ch-ua-platform',
  'upgrade-insecure-requests',
  'accept',
  'accept-encoding',
  'accept-language',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-user',
  'sec-fetch-dest',
  'priority',
]

/** Returns everything that a site sees of a client, as text by signal. */
export function signalsOf({ visit: { headers, connection }, page = {} }: Seen): Signals {
  const { hello, http2, alpn } = connection
  const value = (wanted: string): string => headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '–'
  const sentOrder = headers.map(([name]) => name.toLowerCase())
  const settings = http2?.settings.map((entry) => entry.join(':')).join(',')
  const priority = http2?.priority && `${http2.priority.weight}${http2.priority.isExclusive ? ' exclusive' : ''}`
  const pseudo = sentOrder.filter((name) => name.startsWith(':')).join(' ')
  const lists = [hello.ciphers, hello.extensions, hello.groups, hello.keyShares, hello.versions]
  return {
    TLS: fingerprint(hello),
    'TLS GREASE': lists.map((codes) => codes.filter(isGrease).length).join(' '),
    'TLS groups': [hello.groups, hello.keyShares].map((codes) => codes.filter((code) => !isGrease(code))).join(' / '),
    'TLS ALPN': hello.alpn.join(' '),
    'HTTP version': alpn ?? 'http/1.1',
    'HTTP/2': http2 ? [settings, http2.windowUpdate, priority, pseudo].join(' | ') : '–',
    'header order': sentOrder.filter((name) => comparedHeaders.includes(name) && name !== 'priority').join(' '),
    ...Object.fromEntries(comparedHeaders.map((name) => [`header ${name}`, value(name)])),
    ...Object.fromEntries(Object.entries(page).map(([name, one]) => [name, JSON.stringify(one)])),
  }
}

/** Opens the page of signals with all clients. */
export async function readTable(): Promise<Readonly<Record<Client, Signals>>> {
  const seen = await lookAtClients(clients)
  return Object.fromEntries(Object.entries(seen).map(([name, one]) => [name, signalsOf(one)])) as Record<
    Client,
    Signals
  >
}

/** Returns the signals in which a client differs from the browser that it must look like. */
export function differences(table: Readonly<Record<Client, Signals>>, client: Client): string[] {
  const { like } = clients[client]
  if (like === undefined) return []
  const own = table[client]
  return Object.keys(own).filter((signal) => own[signal] !== table[like][signal])
}

/** Returns the explanation of a difference. */
export function whyDifferent(signal: string, client: Client): string | undefined {
  return explained.find((one) => one.signals.includes(signal) && one.clients.includes(client))?.because
}
