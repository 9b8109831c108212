import type { ScriptHistory, ScriptVersion } from '@harvestman/client'
import { useState } from 'preact/hooks'

import { client, refusalOf, type Refusal } from '../lib/api.ts'
import { useAnswer } from '../lib/poll.ts'
import { go, href } from '../lib/router.ts'
import { say } from '../lib/say.ts'
import { readScript } from '../lib/scripts.ts'
import { Notice } from '../parts/notice.tsx'
import { Back, Empty, Heading } from '../parts/pieces.tsx'
import { RunScript } from '../parts/run-script.tsx'
import { ScriptSteps } from '../parts/script-steps.tsx'
import { Time } from '../parts/time.tsx'

/** Shows the scripts of the team, or one of them. */
export function ScriptsView({ name }: { readonly name: string | undefined }) {
  return name === undefined ? <List /> : <OneScript name={name} />
}

function List() {
  const { answer: all, refusal } = useAnswer((signal) => client.scripts.list({ signal }), [])
  return (
    <>
      <div class="bar">
        <Heading>Scripts</Heading>
        <span class="grow" />
        <a class="button" href={href(['browsers'])}>
          Record a script
        </a>
      </div>
      {refusal && <Notice refusal={refusal} />}
      {!all && !refusal && <Empty>Loading…</Empty>}
      {all?.length === 0 && (
        <Empty>
          <span>
            No scripts yet. Open a browser, press <strong>Record a script</strong> below it, and do once what the script
            is to repeat.
          </span>
        </Empty>
      )}
      {all && all.length > 0 && (
        <div class="card rows">
          {all.map((script) => (
            <a class="row" key={script.name} href={href(['scripts', script.name])}>
              <span aria-hidden="true">▷</span>
              <span class="where">
                {script.name} <span class="muted">{takesInWords(script)}</span>
              </span>
              <span class="facts">
                <span>{script.steps === 1 ? '1 step' : `${script.steps} steps`}</span>
                <span>version {script.version}</span>
                <Time at={script.changedAt} />
              </span>
            </a>
          ))}
        </div>
      )}
    </>
  )
}

function takesInWords({ parameters }: ScriptVersion): string {
  const names = Object.keys(parameters)
  return names.length === 0 ? 'takes nothing' : `takes ${names.join(', ')}`
}

function OneScript({ name }: { readonly name: string }) {
  const [looks, setLooks] = useState(0)
  const { answer, refusal } = useAnswer((signal) => readScript(name, signal), [name, looks])
  return (
    <>
      <Back to="scripts">All scripts</Back>
      <div class="bar">
        <Heading>
          {name} {answer && <span class="muted">version {answer.kept.version}</span>}
        </Heading>
      </div>
      {refusal && <Notice refusal={refusal} />}
      {!answer && !refusal && <Empty>Loading…</Empty>}
      {answer && (
        <div class="stack wide">
          <RunScript name={name} parameters={answer.kept.script.parameters} repaired={() => setLooks(looks + 1)} />
          <ScriptSteps script={answer.kept.script} />
          <Past history={answer.history} />
          <Delete name={name} />
        </div>
      )}
    </>
  )
}

/** Versions and repairs of a script. */
function Past({ history: { versions, repairs } }: { readonly history: ScriptHistory }) {
  return (
    <section class="card pad stack" aria-labelledby="script-past">
      <h2 id="script-past">History</h2>
      <ul class="plain-list">
        {versions.map(({ version, origin, steps, changedAt }) => (
          <li key={version}>
            Version {version}: {origin} <Time at={changedAt} />, {steps === 1 ? '1 step' : `${steps} steps`}
            {repairs
              .filter((repair) => repair.version === version)
              .map(({ step, changes }) => (
                <div class="small muted" key={step}>
                  Step {step}: {changes.join('; ') || 'found by its other ways'}
                </div>
              ))}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Delete({ name }: { readonly name: string }) {
  const [isSure, setSure] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const remove = async (): Promise<void> => {
    try {
      await client.scripts.delete(name)
      say('The script is deleted')
      go(['scripts'])
    } catch (error) {
      setRefusal(refusalOf(error))
    }
  }
  return (
    <div class="bar">
      {refusal && <Notice refusal={refusal} />}
      <button type="button" class="small" onClick={() => (isSure ? void remove() : setSure(true))}>
        {isSure ? 'Delete it with its history' : 'Delete'}
      </button>
      {isSure && (
        <button type="button" class="small" onClick={() => setSure(false)}>
          Keep it
        </button>
      )}
    </div>
  )
}
