import { useState } from 'preact/hooks'

import { client, refusalOf, type Refusal } from '../lib/api.ts'
import { go } from '../lib/router.ts'
import { say } from '../lib/say.ts'
import { Notice } from './notice.tsx'

/** Records the actions in a live browser and saves them as a script. */
export function Recording({ session }: { readonly session: string }) {
  const [isOn, setOn] = useState(false)
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setRefusal(undefined)
    await work().catch((error: unknown) => setRefusal(refusalOf(error)))
  }
  const begin = async (): Promise<void> => {
    await client.scripts.record({ session })
    setOn(true)
    say('Recording what you do in this browser')
  }
  const save = async (): Promise<void> => {
    await client.scripts.save({ name, session, parameters: valuesOf(text) })
    say('Script saved')
    go(['scripts', name])
  }
  if (!isOn)
    return (
      <div class="pad stack">
        <div class="bar">
          <button type="button" class="small" onClick={() => void attempt(begin)}>
            Record a script
          </button>
          <span class="small muted">Open a page first, then do what the script should repeat.</span>
        </div>
        {refusal && <Notice refusal={refusal} />}
      </div>
    )
  return (
    <form
      class="pad stack"
      aria-label="Recording"
      onSubmit={(event) => {
        event.preventDefault()
        void attempt(save)
      }}
    >
      <p>
        <span class="sign error" aria-hidden="true">
          ●
        </span>{' '}
        Recording. Act in the tab Control, or let a task or a program act.
      </p>
      <div class="field">
        <label for="script-name">Name of the script</label>
        <input
          id="script-name"
          type="text"
          placeholder="sign-up"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for="script-values">What varies</label>
        <textarea
          id="script-values"
          rows={3}
          spellcheck={false}
          placeholder="city = Oslo"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <span class="hint">
          A name and the value that you gave, one on each line. Several lines with one name are a list.
        </span>
      </div>
      {refusal && <Notice refusal={refusal} />}
      <div class="bar">
        <button type="submit" class="primary" disabled={name.trim() === ''}>
          Save the script
        </button>
      </div>
    </form>
  )
}

/** Parses `city = Oslo` lines; repeated names become a list. */
function valuesOf(text: string): Readonly<Record<string, string | readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  for (const line of text.split('\n')) {
    const [, name, value = ''] = /^\s*([^=]+?)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), value])
  }
  return Object.fromEntries([...found].map(([name, some]) => [name, some.length === 1 ? (some[0] ?? '') : some]))
}
