import { rootShapes, sessionShapes } from './protocol.ts'
import { readerOf, type Params, type ReadShape } from './shapes.ts'

/** Validators of the parameters, by command. */
export type Rules = ReadonlyMap<string, ReadShape>

const rulesOf = (shapes: typeof sessionShapes): Map<string, ReadShape> =>
  new Map(Object.entries(shapes).map(([method, shape]) => [method, readerOf(shape)]))

/** Commands for a page, frame or worker. */
export const sessionRules: Rules = rulesOf(sessionShapes).set('Input.dispatchDragEvent', withoutFiles)

/** Commands for the browser itself. */
export const rootRules: Rules = rulesOf(rootShapes)

function withoutFiles(given: Params): Params | string {
  const params = readerOf(sessionShapes['Input.dispatchDragEvent'] ?? {})(given)
  if (typeof params === 'string') return params
  const { files = [] } = (params['data'] ?? {}) as { readonly files?: readonly string[] }
  return files.length > 0 ? 'Files of this machine cannot be dragged into a page.' : params
}

const kibibyte = 1_024
const defaultSize = 64 * kibibyte
const sizes: readonly (readonly [characters: number, methods: string])[] = [
  // Commands with user text and URLs, including `data:` URLs.
  [
    2 * kibibyte ** 2,
    'Target.createTarget Page.navigate Page.printToPDF Input.insertText Input.dispatchDragEvent Input.dispatchKeyEvent DOM.setNodeValue DOM.setAttributeValue DOM.setAttributesAsText DOM.pushNodesByBackendIdsToFrontend Network.setCookie Network.setCookies Network.setExtraHTTPHeaders Network.setBlockedURLs Fetch.continueRequest Storage.setCookies Page.handleJavaScriptDialog',
  ],
  // Commands with scripts and their arguments (clients send files to pages this way), and with whole pages.
  [
    8 * kibibyte ** 2,
    'Runtime.evaluate Runtime.callFunctionOn Runtime.compileScript Page.addScriptToEvaluateOnNewDocument Page.reload Page.setDocumentContent DOM.setOuterHTML Fetch.fulfillRequest',
  ],
]
const sizeOf: ReadonlyMap<string, number> = new Map(
  sizes.flatMap(([size, methods]) => methods.split(' ').map((method) => [method, size] as const)),
)

/** Returns the maximum number of characters of a message with this command, 65,536 for most and for unknown ones. */
export function maxSizeOf(method: string): number {
  return sizeOf.get(method) ?? defaultSize
}
