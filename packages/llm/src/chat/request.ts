import type { JsonSchema, Tool, Turn } from '@harvestman/ports'

import type { ModelRequest } from '../model.ts'
import { isStrict, shapeInWords, toolsInWords, wrapSchema } from '../shape.ts'
import type { Dialect } from './dialect.ts'

/** Name of the tool whose input is the output, if structured output is requested with `tools`. */
export const answerTool = 'answer'

export interface ChatBody {
  readonly body: Readonly<Record<string, unknown>>
  /** Whether the output is the property `value` of an object, because its schema was wrapped. */
  readonly isWrapped: boolean
}

/** Creates the request body, using only features that the endpoint supports. */
export function chatBody(model: string, request: ModelRequest, dialect: Dialect): ChatBody {
  const { tools, turns, prompt } = request
  const shape = shapeOf(request, dialect)
  const system = [request.system, shape.inWords, tools.length > 0 && !dialect.tools ? toolsInWords(tools) : ''].filter(
    Boolean,
  )
  const body = {
    model,
    messages: [
      ...(system.length > 0 ? [{ role: 'system', content: system.join('\n\n') }] : []),
      { role: 'user', content: prompt },
      ...turns.map((turn) => message(turn, dialect)),
    ],
    ...(tools.length > 0 && dialect.tools && { tools: tools.map(chatTool) }),
    ...shape.fields,
    ...bounds(request, dialect),
  }
  return { body, isWrapped: shape.isWrapped }
}

interface Shape {
  readonly inWords: string
  readonly fields: object
  readonly isWrapped: boolean
}

function shapeOf({ schema, tools }: ModelRequest, dialect: Dialect): Shape {
  if (!schema) return { inWords: '', fields: {}, isWrapped: false }
  // Many endpoints reject a schema together with tools, so the schema then goes into the prompt.
  const structure = tools.length > 0 ? 'prompt' : dialect.structure
  if (structure === 'prompt') return { inWords: shapeInWords(schema), fields: {}, isWrapped: false }
  const { schema: inner, isWrapped } = wrapSchema(schema)
  if (structure === 'json_object')
    return { inWords: shapeInWords(inner), fields: { response_format: { type: 'json_object' } }, isWrapped }
  return { inWords: '', fields: structure === 'tools' ? forcedTool(inner) : responseFormat(inner), isWrapped }
}

function bounds({ temperature, maxOutputTokens }: ModelRequest, dialect: Dialect): object {
  return {
    ...(dialect.temperature && { temperature }),
    ...(dialect.limit !== 'none' && { [dialect.limit]: maxOutputTokens }),
    ...(dialect.stream && { stream: true }),
    ...(dialect.stream && dialect.streamUsage && { stream_options: { include_usage: true } }),
  }
}

function responseFormat(schema: JsonSchema): object {
  const json = { name: answerTool, schema, strict: isStrict(schema) }
  return { response_format: { type: 'json_schema', json_schema: json } }
}

function forcedTool(schema: JsonSchema): object {
  const tool = { name: answerTool, description: 'Gives the answer.', parameters: schema }
  return {
    tools: [{ type: 'function', function: tool }],
    tool_choice: { type: 'function', function: { name: answerTool } },
  }
}

function chatTool({ name, description, input }: Tool): object {
  return { type: 'function', function: { name, description, parameters: input } }
}

function message(turn: Turn, { tools }: Dialect): object {
  if (turn.role === 'user') return { role: 'user', content: turn.text }
  if (turn.role === 'tool')
    return tools
      ? { role: 'tool', tool_call_id: turn.call.id, content: turn.result }
      : { role: 'user', content: `What ${turn.call.name} brought:\n${turn.result}` }
  const calls = turn.calls ?? []
  if (calls.length === 0) return { role: 'assistant', content: turn.text }
  if (!tools) {
    const written = calls.map(({ name, input }) => JSON.stringify({ tool: name, input }))
    return { role: 'assistant', content: [turn.text, ...written].filter(Boolean).join('\n') }
  }
  const toolCalls = calls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  return { role: 'assistant', content: turn.text === '' ? null : turn.text, tool_calls: toolCalls }
}
