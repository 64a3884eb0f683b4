package acme.engine;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;

/** Another agent: makes every hook throw, so that whoever still calls one is found out. */
public final class Saboteur {
  private static final String HOOKS = "dev/ridgeline/agent/hook/Hooks";

  private Saboteur() {}

  public static void agentmain(String options, Instrumentation jvm) throws Exception {
    ClassFileTransformer sabotage =
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader,
              String name,
              Class<?> type,
              ProtectionDomain domain,
              byte[] bytes) {
            return HOOKS.equals(name) ? sabotaged(bytes) : null;
          }
        };
    jvm.addTransformer(sabotage, true);
    jvm.retransformClasses(Class.forName(HOOKS.replace('/', '.'), false, null));
  }

  private static byte[] sabotaged(byte[] bytes) {
    ClassDesc error = ClassDesc.of("java.lang.AssertionError");
    ClassFile classFile = ClassFile.of();
    return classFile.transformClass(
        classFile.parse(bytes),
        (builder, element) -> {
          if (element instanceof MethodModel method
              && !method.methodName().stringValue().startsWith("<")) {
            builder.transformMethod(
                method,
                (methodBuilder, part) -> {
                  if (!(part instanceof CodeModel)) methodBuilder.with(part);
                  else
                    methodBuilder.withCode(
                        out ->
                            out.new_(error)
                                .dup()
                                .invokespecial(
                                    error,
                                    ConstantDescs.INIT_NAME,
                                    MethodTypeDesc.of(ConstantDescs.CD_void))
                                .athrow());
                });
          } else {
            builder.with(element);
          }
        });
  }
}
