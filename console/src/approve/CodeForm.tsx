import { useNavigate } from '@tanstack/react-router';
import { Card } from '../sign-in/Card.tsx';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { approveWords } from '../words/approve.ts';

/** Asks for the code that a program shows. @param problem what is wrong with the entered one */
export function CodeForm({ entered, problem }: { entered?: string; problem?: string }) {
  const navigate = useNavigate();
  const { title, text, label, submit } = approveWords.code;
  return (
    <Card title={title} text={text}>
      <form
        className="space-y-4"
        onSubmit={event => {
          event.preventDefault();
          const user_code = String(new FormData(event.currentTarget).get('user_code')).trim();
          void navigate({ to: '/approve', search: { user_code } });
        }}
      >
        <Field
          label={label}
          name="user_code"
          defaultValue={entered?.slice(0, 20)}
          maxLength={20}
          required
          autoFocus
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder="XXXX-XXXX"
          problem={problem}
        />
        <Button type="submit" look="main" className="h-9 w-full">
          {submit}
        </Button>
      </form>
    </Card>
  );
}
