import { denied, misfit, pass, type Outcome } from './outcome.ts'
import type { PageSettings } from './page-settings.ts'
import type { Pictures } from './pictures.ts'
import type { Params } from './shapes.ts'
import type { Streams } from './streams.ts'
import type { Line } from './switch.ts'
import { mayOpen } from './urls.ts'

/** Dependencies for carrying out commands to a page, frame or worker. */
export interface SessionParts {
  readonly line: Line
  readonly pictures: Pictures
  readonly streams: Streams
  readonly settings: PageSettings
  owns(targetId: unknown): boolean
}

type Handler = (params: Params, sessionId: string, parts: SessionParts) => Outcome | Promise<Outcome>

const passOn =
  (method: string): Handler =>
  (params, sessionId, { line }) =>
    pass(line, method, params, sessionId)

const draw =
  (method: string): Handler =>
  async (params, sessionId, { line, pictures, streams }) =>
    streams.note(sessionId, await pictures.carryOut(method, params, line, sessionId))

/** Forwards a setting, unless pages already have it. */
const set =
  (method: string): Handler =>
  (params, sessionId, { line, settings }) =>
    settings.isSet(method, params) ? { result: {} } : pass(line, method, params, sessionId)

/** Forwards a command if it names no target, or a target of the session. */
const toOwnTarget =
  (method: string): Handler =>
  (params, sessionId, { line, owns }) => {
    const { targetId } = params
    if (targetId !== undefined && !owns(targetId)) return { refusal: 'No target with given id found' }
    return pass(line, method, params, sessionId)
  }

/**
 * The commands whose parameters are checked or that are carried out here. All other commands in `protocol.ts` are forwarded.
 */
export const sessionHandlers: Readonly<Record<string, Handler>> = {
  'Target.setAutoAttach': (params, sessionId, { line }) =>
    pass(line, 'Target.setAutoAttach', { ...params, flatten: true }, sessionId),
  'Target.detachFromTarget': toOwnTarget('Target.detachFromTarget'),
  'Target.getTargetInfo': toOwnTarget('Target.getTargetInfo'),
  'Page.navigate': (params, sessionId, { line }) => {
    const url = String(params['url'])
    if (!mayOpen(url)) return { refusal: `A live browser does not go to ${url.slice(0, 200)}.` }
    return pass(line, 'Page.navigate', params, sessionId)
  },
  'Page.captureScreenshot': draw('Page.captureScreenshot'),
  'Page.printToPDF': draw('Page.printToPDF'),
  'Page.startScreencast': draw('Page.startScreencast'),
  'Emulation.setDeviceMetricsOverride': draw('Emulation.setDeviceMetricsOverride'),
  'Page.setFontFamilies': set('Page.setFontFamilies'),
  'Emulation.setEmulatedMedia': set('Emulation.setEmulatedMedia'),
  'IO.read': (params, sessionId, { line, streams }) => streams.read(params, line, sessionId),
  'IO.close': (params, sessionId, { line, streams }) => streams.close(params, line, sessionId),
  'Fetch.takeResponseBodyAsStream': async (params, sessionId, { line, streams }) =>
    streams.note(sessionId, await pass(line, 'Fetch.takeResponseBodyAsStream', params, sessionId)),
  'Fetch.continueRequest': (params, sessionId, { line }) => {
    const { url } = params
    if (url !== undefined && !(typeof url === 'string' && /^https?:/i.test(url)))
      return misfit("'url' must be an http or https URL.")
    return pass(line, 'Fetch.continueRequest', params, sessionId)
  },
  'DOM.setFileInputFiles': (params, sessionId, { line }) => {
    const { files } = params
    if (!Array.isArray(files) || files.length > 0) return denied('DOM.setFileInputFiles')
    return pass(line, 'DOM.setFileInputFiles', params, sessionId)
  },
}

/**
 * Carries out an allowed command of a client for a page, frame or worker. Commands without a handler of their own are passed
 * on to the browser, whose errors are part of the outcome.
 */
export async function carryOutInSession(
  method: string,
  params: Params,
  sessionId: string,
  parts: SessionParts,
): Promise<Outcome> {
  const handler = Object.hasOwn(sessionHandlers, method) ? sessionHandlers[method] : undefined
  return (handler ?? passOn(method))(params, sessionId, parts)
}
