// The script endpoints.
import type { MakeEndpoint } from '@harvestman/core/plugin'
import { z } from 'zod'

import { beginRecording, runStored, saveScript, type OpenScripts } from './open.ts'
import { newScriptSchema, recordingSchema, runScriptSchema, versionOfScript } from './requests.ts'
import {
  historySchema,
  storedScriptSchema,
  runResultSchema,
  versionSchema,
  type ScriptHistory,
  type ScriptRun,
  type ScriptVersion,
} from './script/results.ts'

const one = '/v2/scripts/{name}'
const params = { name: z.string().min(1).max(63) }

/** Errors that live browsers can cause. */
const inBrowser = [
  ...(['not_found', 'not_configured', 'forbidden', 'conflict', 'session_over'] as const),
  ...(['browser_failed', 'timeout'] as const),
] as const
const statuses = { not_configured: 503, browser_failed: 502, connection_failed: 502, action_failed: 422 } as const

const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 16).replace('T', ' ')

const lineOf = ({ name, version, origin, steps, changedAt }: ScriptVersion) =>
  [name, `version ${version}, ${origin}`, `${steps} steps`, dateOf(changedAt)] as const

function historyLines({ versions, repairs }: ScriptHistory) {
  return versions.flatMap(({ version, origin, steps, changedAt }) => [
    [`version ${version}`, origin, `${steps} steps`, dateOf(changedAt)],
    ...repairs
      .filter((repair) => repair.version === version)
      .map(({ step, changes }) => [`- step ${step}: ${changes.join(', ')}`]),
  ])
}

function stepLines({ steps }: ScriptRun) {
  return steps.map(({ step, action, element = '', outcome, note }) => [
    `${step}. ${action} ${element}: ${outcome}${note === undefined ? '' : ` (${note})`}`,
  ])
}

type Make = MakeEndpoint<OpenScripts>

/** Endpoints that record, store and run scripts. */
export const keepingEndpoints = (endpoint: Make) => ({
  record: endpoint({
    method: 'POST',
    path: '/v2/scripts/record',
    summary: 'Records the steps taken in a live browser, until a script is saved from them.',
    input: recordingSchema,
    errors: inBrowser,
    statuses,
    example: { session: '0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11' },
    run: beginRecording,
  }),
  save: endpoint({
    method: 'POST',
    path: '/v2/scripts',
    summary: 'Saves a script: the steps recorded in a live browser, or a script of your own.',
    input: newScriptSchema,
    output: storedScriptSchema,
    errors: inBrowser,
    statuses,
    example: { name: 'sign-up', session: '0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11', parameters: { name: 'Ann' } },
    command: {
      arguments: ['name', 'script'],
      print: ({ name, version }) => ({
        lines: [],
        message: `The script ${name} is at version ${version}. Run it: harvestman scripts run ${name}`,
      }),
    },
    run: saveScript,
  }),
  run: endpoint({
    method: 'POST',
    path: `${one}/run`,
    params,
    summary:
      'Runs a script without a model. Ends at the first step whose outcome differs from the recorded one, with a report of the page.',
    input: runScriptSchema,
    output: runResultSchema,
    errors: [...inBrowser, 'action_failed', 'too_many_sessions', 'insufficient_credits'],
    statuses,
    example: { parameters: { name: 'Bob' } },
    command: {
      flags: { parameters: '-p, --param <name=value>', version: '--script-version <n>' },
      print: (run) => ({
        lines: stepLines(run),
        message: run.repairedTo === undefined ? undefined : `It was repaired, and is now at version ${run.repairedTo}.`,
      }),
    },
    run: (scripts, call) => runStored(scripts, call.params.name, call),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: one,
    params,
    summary: 'Deletes a script with its history.',
    errors: ['not_found'],
    command: { print: (_, { params }) => ({ message: `The script ${params['name']} is deleted.` }) },
    run: ({ catalogOf }, { team, params: { name } }) => catalogOf(team).delete(name),
  }),
})

/** Endpoints that return scripts. */
export const readingEndpoints = (endpoint: Make) => ({
  list: endpoint({
    method: 'GET',
    path: '/v2/scripts',
    summary: 'Lists the scripts of your team, by name.',
    output: z.array(versionSchema),
    command: { print: (found) => ({ lines: found.map(lineOf) }) },
    run: ({ catalogOf }, { team }) => catalogOf(team).list(),
  }),
  get: endpoint({
    method: 'GET',
    path: one,
    params,
    summary: 'Returns a script with its steps.',
    input: versionOfScript,
    output: storedScriptSchema,
    errors: ['not_found'],
    command: {
      name: 'show',
      flags: { version: '--script-version <n>' },
      print: ({ script }) => ({ json: script }),
    },
    run: ({ catalogOf }, { team, params: { name }, input: { version } }) => catalogOf(team).get(name, version),
  }),
  history: endpoint({
    method: 'GET',
    path: `${one}/history`,
    params,
    summary: 'Lists the versions and repairs of a script, newest first.',
    output: historySchema,
    errors: ['not_found'],
    command: { print: (history) => ({ lines: historyLines(history) }) },
    run: ({ catalogOf }, { team, params: { name } }) => catalogOf(team).history(name),
  }),
})
