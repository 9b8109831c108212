import { useState } from 'preact/hooks'

import { addressOf } from '../lib/address.ts'
import { access } from '../lib/api.ts'
import { connectionsTo } from '../lib/connections.ts'
import { Code, Heading, Tabs, Words } from '../parts/pieces.tsx'

/** Shows the settings with which other apps connect to this server. */
export function ConnectView() {
  const [name, setName] = useState('')
  const needsKey = access.value?.isOpen !== true
  const connections = connectionsTo(addressOf('').href.replace(/\/$/, ''), needsKey)
  return (
    <>
      <Heading>Connect</Heading>
      <p class="muted">
        Use this server from a model, your code or a terminal.{' '}
        {needsKey ? (
          <>
            Put your key into the variable <code>HARVESTMAN_API_KEY</code>, or make one under <a href="#/keys">Keys</a>.
          </>
        ) : (
          'Requests from this machine need no key.'
        )}
      </p>
      <div class="card">
        <Tabs
          chosen={name}
          choose={setName}
          tabs={connections.map((connection) => ({
            id: connection.name,
            label: connection.name,
            view: () => (
              <div class="stack">
                <p>
                  <Words text={connection.about} />
                </p>
                <Code text={connection.text} name={`the settings for ${connection.name}`} />
              </div>
            ),
          }))}
        />
      </div>
    </>
  )
}
