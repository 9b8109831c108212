// Lists and calls the tools that a page declares to models: those of its scripts, and its forms.
import { modelContext } from './model-context.ts'
import { callForm, schemaOfForm, toolForms } from './tool-forms.ts'

const maxTools = 100

/**
 * Returns the tools of the page as a JSON array of objects with `name`, `title`, `description`, `inputSchema`, `isReadOnly` and
 * `isForm`, at most 100. A form with the name of a tool of a script is omitted.
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
    const description = form.getAttribute('tooldescription') ?? ''
    shown.push({ name, description, inputSchema: schemaOfForm(form), isReadOnly: false, isForm: true })
  }
  return JSON.stringify(shown)
}

/**
 * Calls a tool of the page, and returns a JSON object: `status`, and `result` or `error`. The tool is aborted after `timeout`
 * milliseconds. At most `maxCharacters` of the JSON of its result are returned; then `isCut` is true.
 */
export async function callDeclaredTool(
  name: string,
  input: Readonly<Record<string, unknown>>,
  timeout: number,
  maxCharacters: number,
): Promise<string> {
  try {
    const { status, result, error } = await callByName(name, input, timeout)
    const text = result === undefined ? undefined : JSON.stringify(result)
    const isCut = text !== undefined && text.length > maxCharacters
    return JSON.stringify({ status, result: text?.slice(0, maxCharacters), isCut, error: error?.slice(0, 1_000) })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return JSON.stringify({ status: 'failed', isCut: false, error: message.slice(0, 1_000) })
  }
}

async function callByName(name: string, input: Readonly<Record<string, unknown>>, timeout: number) {
  const context = modelContext()
  const tool = (await context?.getTools())?.find((one) => one.name === name)
  const late = AbortSignal.timeout(timeout)
  if (context && tool) {
    const text = await context.executeTool(tool, input, { signal: late })
    return { status: 'done', result: text === null ? undefined : (JSON.parse(text) as unknown), error: undefined }
  }
  const form = toolForms().get(name)
  if (!form) return { status: 'failed', result: undefined, error: `The page has no tool ${name} any more.` }
  const isLate = new Promise<never>((_, reject) => {
    late.addEventListener('abort', () => reject(new Error(`The form did not respond within ${timeout} ms.`)))
  })
  const { status, result, error } = await Promise.race([callForm(form, input), isLate])
  return { status, result, error }
}
