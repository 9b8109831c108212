import { useState } from 'preact/hooks'

import { askAccess, client, refusalOf, type Refusal } from '../lib/api.ts'
import { Notice } from '../parts/notice.tsx'
import { Heading } from '../parts/pieces.tsx'

export function LoginView() {
  const [key, setKey] = useState('')
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const [isBusy, setBusy] = useState(false)
  const logIn = async (): Promise<void> => {
    setBusy(true)
    try {
      await client.request('/ui/login', { method: 'POST', body: { key: key.trim() } })
      setRefusal(undefined)
      await askAccess()
    } catch (error) {
      setRefusal(refusalOf(error))
    }
    setBusy(false)
  }
  return (
    <form
      class="login stack wide"
      onSubmit={(event) => {
        event.preventDefault()
        void logIn()
      }}
    >
      <Heading>Log in</Heading>
      <p class="muted">
        This server requires an API key. It stays on the server: the page gets a cookie that lasts 12 hours.
      </p>
      <div class="field">
        <label for="key">API key</label>
        <input
          id="key"
          type="password"
          autocomplete="current-password"
          required
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
      </div>
      {refusal && <Notice refusal={refusal} />}
      <button type="submit" class="primary" disabled={isBusy || key.trim() === ''}>
        {isBusy ? 'Checking…' : 'Log in'}
      </button>
      <p class="small muted">
        No key yet? The operator of the server makes one: <a href="#/keys">keys</a>.
      </p>
    </form>
  )
}
