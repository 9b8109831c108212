import './tokens.css'
import './style.css'
import './views.css'

import { render } from 'preact'

import { App } from './app.tsx'
import { keepFocus } from './lib/focus.ts'
import { startTheme } from './lib/theme.ts'

startTheme()
keepFocus()
const root = document.getElementById('app')
root?.replaceChildren()
if (root) render(<App />, root)
