// Lists and calls the tools that a page declares to models: those of its scripts, and its forms.
import { modelContext } from './model-context.ts'
import { callForm, descriptionOf, schemaOfForm, toolForms } from './tool-forms.ts'

const maxTools = 100

/**
 * Returns the tools of the page as a JSON array of objects with `name`, `title`, `description`, `inputSchema`, `isReadOnly` and
 * `isForm`, at most 100. Omits forms with the name of a tool of a script, and forms that cannot be read.
 */
export async function listDeclaredTools(): Promise<string> {
  const tools = [...((await modelContext()?.getTools()) ?? [])].slice(0, maxTools)
  const shown: object[] = tools.map(({ name, title, description, inputSchema, annotations }) => ({
    ...{ name, description, inputSchema: inputSchema ?? undefined },
    ...(title && { title }),
    ...{ isReadOnly: annotations?.readOnlyHint === true, isForm: false },
  }))
  const names = new Set(tools.map(({ name }) => name))
  for (const [name, form] of toolForms()) {
    if (names.has(name) || shown.length >= maxTools) continue
    try {
      const inputSchema = schemaOfForm(form)
      shown.push({ name, description: descriptionOf(form), inputSchema, isReadOnly: false, isForm: true })
    } catch {
      // The page has replaced functions that read forms.
    }
  }
  return JSON.stringify(shown)
}

/** Limits of a call. */
interface CallLimits {
  /** Milliseconds after which the tool is aborted. */
  readonly timeout: number
  readonly maxCharacters: number
  /** The only URL where the tool may be called. */
  readonly url?: string
}

/**
 * Calls a tool of the page, and returns a JSON object: `status`, and `result` or `error`. At most `maxCharacters` of the JSON of
 * its result are returned; then `isCut` is true.
 */
export async function callDeclaredTool(
  name: string,
  input: Readonly<Record<string, unknown>>,
  { timeout, maxCharacters, url }: CallLimits,
): Promise<string> {
  const late = AbortSignal.timeout(timeout)
  const isLate = new Promise<never>((_, reject) => {
    late.addEventListener('abort', () => reject(new Error(`The tool did not respond within ${timeout} ms.`)))
  })
  try {
    if (url !== undefined && location.href !== url) throw new Error('The page has changed. Look at its tools again.')
    const { status, result, error } = await Promise.race([callByName(name, input, late), isLate])
    const text = result === undefined ? undefined : JSON.stringify(result)
    const isCut = text !== undefined && text.length > maxCharacters
    return JSON.stringify({ status, result: text?.slice(0, maxCharacters), isCut, error: error?.slice(0, 1_000) })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return JSON.stringify({ status: 'failed', isCut: false, error: message.slice(0, 1_000) })
  }
}

async function callByName(name: string, input: Readonly<Record<string, unknown>>, late: AbortSignal) {
  const context = modelContext()
  const tool = (await context?.getTools())?.find((one) => one.name === name)
  if (context && tool) {
    const text = await context.executeTool(tool, input, { signal: late })
    return { status: 'done', result: text === null ? undefined : (JSON.parse(text) as unknown), error: undefined }
  }
  const form = toolForms().get(name)
  if (!form) return { status: 'failed', result: undefined, error: `The page has no tool ${name} any more.` }
  const { status, result, error } = await callForm(form, input)
  return { status, result, error }
}
