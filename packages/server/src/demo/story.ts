import type { Category, Priority, SubmittedException } from '@bugle/contract'
import type { Platform } from './world.ts'

/** Something that goes wrong in the fictional app. Placeholders in braces are filled in, so that one story yields many issues. */
export interface Story {
  readonly category: Category
  readonly priority: Priority
  readonly title: string
  readonly description: string | null
  /** What was thrown, followed by its causes. */
  readonly exception?: readonly SubmittedException[]
  /** The platforms where it happens; all by default. */
  readonly platforms?: readonly Platform[]
  /** Whether the app sends a fingerprint, so that further reports are counted on the same issue. */
  readonly recurs?: true
}

/** The possible values of each placeholder. */
export const FILLINGS: Readonly<Record<string, readonly string[]>> = {
  screen: ['Recipe', 'Shopping list', 'Meal plan', 'Pantry', 'Search', 'Settings', 'Profile', 'Cook mode'],
  recipe: ['Lentil soup', 'Apple crumble', 'Pad Thai', 'Shakshuka', 'Crème brûlée', 'Miso ramen', 'Goulash'],
  list: ['Weekend', 'Party for 12', 'Market', 'Camping 🏕', 'Household', 'Baking'],
  food: ['oat milk', 'basil', 'red lentils', 'eggs', 'sourdough', 'coconut cream', 'gherkins'],
  store: ['PantryStore', 'RecipeStore', 'PlanStore', 'ListStore', 'PhotoCache'],
  step: ['after an update', 'after signing in again', 'in flight mode', 'with large text', 'on a slow line'],
}
