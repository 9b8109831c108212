import type { Script, ScriptRun } from '@harvestman/client'
import { useState } from 'preact/hooks'

import { client, refusalOf, type Refusal } from '../lib/api.ts'
import { shown } from '../lib/format.ts'
import { say } from '../lib/say.ts'
import { Notice } from './notice.tsx'

interface RunScriptProps {
  readonly name: string
  readonly parameters: Script['parameters']
  /** Called when the run has created a new version. */
  readonly repaired: () => void
}

/** The form that runs a script, and the result of the last run. */
export function RunScript({ name, parameters, repaired }: RunScriptProps) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [isRunning, setRunning] = useState(false)
  const [run, setRun] = useState<ScriptRun | undefined>()
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const start = async (): Promise<void> => {
    setRunning(true)
    setRun(undefined)
    setRefusal(undefined)
    try {
      const given = Object.entries(parameters).map(([key, { type }]) => {
        const text = values[key] ?? ''
        return [key, type === 'list' ? linesOf(text) : text]
      })
      const done = await client.scripts.run(name, { parameters: Object.fromEntries(given) })
      setRun(done)
      say('The script has run')
      if (done.repairedTo !== undefined) repaired()
    } catch (error) {
      setRefusal(refusalOf(error))
    }
    setRunning(false)
  }
  return (
    <section class="card pad stack" aria-labelledby="script-run">
      <h2 id="script-run">Run it</h2>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void start()
        }}
      >
        {Object.entries(parameters).map(([key, parameter]) => (
          <Field
            key={key}
            name={key}
            parameter={parameter}
            value={values[key] ?? ''}
            change={(value) => setValues({ ...values, [key]: value })}
          />
        ))}
        <div class="bar">
          <button type="submit" class="primary" disabled={isRunning}>
            {isRunning ? 'Running…' : 'Run'}
          </button>
        </div>
      </form>
      {refusal && <Notice refusal={refusal} />}
      {refusal && <Seen details={refusal.details} />}
      {run && <Result run={run} />}
    </section>
  )
}

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

interface FieldProps {
  readonly name: string
  readonly parameter: Script['parameters'][string]
  readonly value: string
  readonly change: (value: string) => void
}

function Field({ name, parameter: { type, secret }, value, change }: FieldProps) {
  const id = `script-value-${name}`
  const common = { id, value, autocomplete: 'off', spellcheck: false } as const
  return (
    <div class="field">
      <label for={id}>{name}</label>
      {type === 'list' ? (
        <textarea {...common} rows={3} onInput={(event) => change(event.currentTarget.value)} />
      ) : secret ? (
        <input {...common} type="password" onInput={(event) => change(event.currentTarget.value)} />
      ) : (
        <input {...common} type="text" onInput={(event) => change(event.currentTarget.value)} />
      )}
      {type === 'list' && <span class="hint">One on each line.</span>}
      {secret && <span class="hint">A secret. It is not stored.</span>}
    </div>
  )
}

function Result({ run: { steps, url, repairedTo } }: { readonly run: ScriptRun }) {
  return (
    <div class="stack" role="group" aria-label="Result">
      <p>
        <span class="sign ok" aria-hidden="true">
          ✓
        </span>{' '}
        All steps went as recorded{repairedTo === undefined ? '' : `, and the repairs are version ${repairedTo}`}.
      </p>
      <DoneSteps steps={steps} />
      <p class="small muted break">At the end: {shown(url)}</p>
    </div>
  )
}

function DoneSteps({ steps }: Pick<ScriptRun, 'steps'>) {
  return (
    <ul class="plain-list small">
      {steps.map(({ step, action, element, outcome, note }, index) => (
        <li key={index} class="break">
          {step}. {action} {shown(element ?? '')}: {outcome}
          {note !== undefined && <span class="muted"> ({shown(note)})</span>}
        </li>
      ))}
    </ul>
  )
}

/** The completed steps of a failed run, and the elements that it saw on the page. */
function Seen({ details }: { readonly details: unknown }) {
  const { done, seen } = (details ?? {}) as {
    readonly done?: ScriptRun['steps']
    readonly seen?: { readonly url: string; readonly elements: readonly string[] }
  }
  if (!done && !seen) return null
  return (
    <details>
      <summary class="small">Steps and outcomes</summary>
      {done && done.length > 0 && <DoneSteps steps={done} />}
      {seen && (
        <div class="small break">
          On {shown(seen.url)}:
          <ul>
            {seen.elements.map((element, index) => (
              <li key={index}>{shown(element)}</li>
            ))}
          </ul>
        </div>
      )}
    </details>
  )
}
