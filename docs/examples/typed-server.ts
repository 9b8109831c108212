// A server with a plugin. Clients import the type of its engine.
import { createEngine } from '@harvestman/core'
import { defineFormat, definePlugin, title } from '@harvestman/core/plugin'
import { createApi, serve } from '@harvestman/http'
import { z } from 'zod'

const shout = defineFormat({
  type: 'shout',
  options: z.object({ mark: z.string().default('!') }),
  value: z.object({ text: z.string() }),
  needs: { title },
  derive: ({ title }, { options }) => ({ text: title.toUpperCase() + options.mark }),
})

const shouting = definePlugin({ name: 'shouting', formats: [shout] })
const openEngine = (allowPrivate: readonly string[]) => createEngine({ plugins: [shouting], allowPrivate })
export type ServerEngine = ReturnType<typeof openEngine>

export function start(port: number, allowPrivate: readonly string[] = []) {
  const engine = openEngine(allowPrivate)
  return serve(createApi(engine), { port, owns: [engine] })
}
