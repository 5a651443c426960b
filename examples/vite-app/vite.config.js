import { bugle } from '@bugle/sdk/vite'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [bugle()] })
