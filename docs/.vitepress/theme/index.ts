// System fonts: nothing is loaded from anywhere, and the pages weigh a third less.
import Theme from 'vitepress/theme-without-fonts'

import './layout.css'
import './pictures.css'

export default Theme
