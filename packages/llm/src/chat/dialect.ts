// What an endpoint understands is found out by asking: what it refuses is asked for in the next way, and remembered.

/** Ways to ask for a shape, the best first. */
export const structures = ['json_schema', 'json_object', 'tools', 'prompt'] as const

/** How an endpoint is asked for an answer that fits a schema. */
export type Structure = (typeof structures)[number]

export interface Dialect {
  readonly structure: Structure
  readonly tools: boolean
  readonly stream: boolean
  /** Whether a stream may be asked to tell what was used. */
  readonly streamUsage: boolean
  readonly temperature: boolean
  readonly limit: 'max_tokens' | 'max_completion_tokens' | 'none'
}

export const firstDialect: Dialect = {
  structure: 'json_schema',
  tools: true,
  stream: true,
  streamUsage: true,
  temperature: true,
  limit: 'max_tokens',
}

/** What was asked for that an endpoint may not know. */
export interface Asked {
  readonly shape: boolean
  readonly tools: boolean
}

/** The dialect without what this refusal is about; nothing when it is about something else. */
export function concede(dialect: Dialect, refusal: string, asked: Asked): Dialect | undefined {
  const says = (words: RegExp): boolean => words.test(refusal)
  if (dialect.streamUsage && says(/stream_options|include_usage/i)) return { ...dialect, streamUsage: false }
  if (dialect.limit !== 'none' && says(/max_tokens|max_completion_tokens/i))
    return { ...dialect, limit: dialect.limit === 'max_tokens' ? 'max_completion_tokens' : 'none' }
  if (dialect.temperature && says(/temperature/i)) return { ...dialect, temperature: false }
  if (asked.tools && dialect.tools && says(/tool|function/i)) return { ...dialect, tools: false }
  if (asked.shape && says(/response_format|json_schema|json_object|structured|grammar|schema|tool|function/i))
    return nextStructure(dialect)
  if (dialect.stream && says(/\bstream/i)) return { ...dialect, stream: false }
  return undefined
}

/** The next way to ask for a shape; nothing after the last. */
export function nextStructure(dialect: Dialect): Dialect | undefined {
  const next = structures[structures.indexOf(dialect.structure) + 1]
  return next && { ...dialect, structure: next }
}
