import type { Script } from '@harvestman/client'

import { outcomesOf, repeatsInWords, stepInWords, waysOf, type Step } from '../lib/scripts.ts'

/** The steps of a script as sentences, each with its element locators and its expected outcomes. */
export function ScriptSteps({ script: { start, steps } }: { readonly script: Script }) {
  return (
    <section class="card pad stack" aria-labelledby="script-steps">
      <h2 id="script-steps">Steps</h2>
      <ol class="script-steps">
        <li class="break">Open {start}</li>
        {steps.map((step, index) => (
          <OneStep key={index} step={step} />
        ))}
      </ol>
    </section>
  )
}

function OneStep({ step }: { readonly step: Step }) {
  const [ways, outcomes] = [waysOf(step), outcomesOf(step)]
  const repeats = repeatsInWords(step)
  return (
    <li class="break">
      {stepInWords(step)}
      {repeats !== undefined && <span class="muted">, {repeats}</span>}
      {ways.length + outcomes.length > 0 && (
        <details>
          <summary class="small muted">
            {ways.length === 1 ? '1 way' : `${ways.length} ways`} to find it,{' '}
            {outcomes.length === 0 ? 'nothing to check then' : `${outcomes.length} to check then`}
          </summary>
          <Sentences title="How it is found" all={ways} />
          <Sentences title="What must hold then" all={outcomes} />
        </details>
      )}
    </li>
  )
}

function Sentences({ title, all }: { readonly title: string; readonly all: readonly string[] }) {
  if (all.length === 0) return null
  return (
    <div class="small">
      {title}:
      <ul>
        {all.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </div>
  )
}
