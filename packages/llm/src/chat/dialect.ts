// Detects which features an endpoint supports: when it rejects one, an alternative is used and remembered.

/** Methods to request structured output, best first. */
export const structures = ['json_schema', 'json_object', 'tools', 'prompt'] as const

/** A method to request structured output. */
export type Structure = (typeof structures)[number]

export interface Dialect {
  readonly structure: Structure
  readonly tools: boolean
  readonly stream: boolean
  /** Whether the endpoint accepts `stream_options.include_usage`. */
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

/** Features of a request that endpoints may not support. */
export interface RequestFeatures {
  readonly shape: boolean
  readonly tools: boolean
}

/**
 * Returns the dialect without the feature that the error message rejects, or `undefined` if the message is about something else
 * or no alternative is left.
 */
export function dropRejectedFeature(dialect: Dialect, refusal: string, features: RequestFeatures): Dialect | undefined {
  const says = (words: RegExp): boolean => words.test(refusal)
  if (dialect.streamUsage && says(/stream_options|include_usage/i)) return { ...dialect, streamUsage: false }
  if (dialect.limit !== 'none' && says(/max_tokens|max_completion_tokens/i))
    return { ...dialect, limit: dialect.limit === 'max_tokens' ? 'max_completion_tokens' : 'none' }
  if (dialect.temperature && says(/temperature/i)) return { ...dialect, temperature: false }
  if (features.tools && dialect.tools && says(/tool|function/i)) return { ...dialect, tools: false }
  if (features.shape && says(/response_format|json_schema|json_object|structured|grammar|schema|tool|function/i))
    return nextStructure(dialect)
  if (dialect.stream && says(/\bstream/i)) return { ...dialect, stream: false }
  return undefined
}

/** Returns the dialect with the next method to request structured output, or `undefined` after the last. */
export function nextStructure(dialect: Dialect): Dialect | undefined {
  const next = structures[structures.indexOf(dialect.structure) + 1]
  return next && { ...dialect, structure: next }
}
