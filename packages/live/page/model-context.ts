// `document.modelContext` of WebMCP, for browsers without it: a page registers tools for models, and they can be listed and called.

/** A tool as a page registers it. */
interface RegisteredTool {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema?: object
  readonly annotations?: { readonly readOnlyHint?: boolean }
  readonly execute: (input: object, options: object) => unknown
}

/** The part of the API that lists and calls tools. */
export interface ModelContext {
  getTools(): Promise<readonly Omit<RegisteredTool, 'execute'>[]>
  /** Resolves to the result as JSON, or to `null` without one. */
  executeTool(tool: object, input: object, options?: { readonly signal?: AbortSignal }): Promise<string | null>
}

type WithContext = Partial<Record<'modelContext', Partial<ModelContext>>>

const maxTools = 100
const maxSchemaLength = 20_000

/** Returns the API if it can list and call tools. */
export function modelContext(): ModelContext | undefined {
  for (const owner of [document as WithContext, navigator as WithContext]) {
    const { modelContext } = owner
    if (typeof modelContext?.getTools === 'function' && typeof modelContext.executeTool === 'function')
      return modelContext as ModelContext
  }
  return undefined
}

function fail(name: string, message: string): Promise<never> {
  return Promise.reject(new DOMException(message, name))
}

/** Checks a tool and copies it, with its schema as JSON. Throws a `DOMException` for an invalid one. */
function copyTool(tool: RegisteredTool): RegisteredTool & { readonly schema: string | undefined } {
  const { name, title, description, inputSchema, annotations, execute } = tool
  if (!/^[\w.-]{1,128}$/.test(name))
    throw new DOMException(`The name ${name} of the tool is invalid.`, 'InvalidStateError')
  if (!description) throw new DOMException('The tool has no description.', 'InvalidStateError')
  if (typeof execute !== 'function') throw new TypeError('execute is not a function.')
  const schema = inputSchema === undefined ? undefined : JSON.stringify(inputSchema)
  if (schema !== undefined && schema.length > maxSchemaLength)
    throw new DOMException(`The input schema has more than ${maxSchemaLength} characters.`, 'QuotaExceededError')
  return {
    ...{ name, description: description.slice(0, 10_000), execute: execute.bind(tool), schema },
    ...(title !== undefined && { title: title.slice(0, 1_000) }),
    annotations: { readOnlyHint: annotations?.readOnlyHint === true },
  }
}

class PageModelContext extends EventTarget implements ModelContext {
  readonly #tools = new Map<string, ReturnType<typeof copyTool>>()

  registerTool(tool: RegisteredTool, { signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (this.#tools.has(tool.name)) return fail('InvalidStateError', `There is a tool ${tool.name} already.`)
    if (this.#tools.size >= maxTools) return fail('QuotaExceededError', `A page has at most ${maxTools} tools.`)
    try {
      const own = copyTool(tool)
      this.#tools.set(own.name, own)
      signal?.addEventListener('abort', () => {
        if (this.#tools.get(own.name) === own) this.unregisterTool(own.name)
      })
    } catch (error) {
      return Promise.reject(error)
    }
    this.#changed()
    return Promise.resolve()
  }

  unregisterTool(name: string): void {
    if (this.#tools.delete(name)) this.#changed()
  }

  /** Replaces all tools. Earlier drafts of the standard have it. */
  provideContext({ tools = [] }: { readonly tools?: readonly RegisteredTool[] } = {}): void {
    this.#tools.clear()
    for (const tool of [...tools].slice(0, maxTools)) {
      const own = copyTool(tool)
      this.#tools.set(own.name, own)
    }
    this.#changed()
  }

  clearContext(): void {
    this.provideContext()
  }

  async getTools(): Promise<readonly Omit<RegisteredTool, 'execute'>[]> {
    return [...this.#tools.values()]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ execute: _execute, schema, ...tool }) => ({
        ...tool,
        ...(schema !== undefined && { inputSchema: JSON.parse(schema) as object }),
        ...{ window, origin: location.origin },
      }))
  }

  async executeTool(
    tool: { readonly name?: string },
    input: object = {},
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<string | null> {
    const own = this.#tools.get(tool.name ?? '')
    if (!own) return fail('UnknownError', `There is no tool ${tool.name}.`)
    signal?.throwIfAborted()
    const late = new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    // Earlier drafts pass a client with this method in place of the signal.
    const requestUserInteraction = async (ask: () => unknown): Promise<unknown> => ask()
    const options = { signal: signal ?? new AbortController().signal, requestUserInteraction }
    this.dispatchEvent(new Event('toolactivated'))
    const result = await Promise.race([own.execute(JSON.parse(JSON.stringify(input)) as object, options), late])
    return JSON.stringify(result) ?? null
  }

  #changed(): void {
    this.dispatchEvent(new Event('toolchange'))
  }
}

/**
 * Adds `modelContext` to the document and the navigator of a secure page, unless the browser has a complete one. Not in frames,
 * whose tools are not listed.
 */
export function offerModelContext(): void {
  if (!isSecureContext || globalThis.top !== globalThis.self || modelContext()) return
  const value = new PageModelContext()
  for (const owner of [Document, Navigator])
    Object.defineProperty(owner.prototype, 'modelContext', { get: () => value, configurable: true, enumerable: true })
}
